package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.junit.jupiter.api.Test;

class KafkaTopicsTest {

  @Test
  void aBrokerThatSaysNoIsNotAway() {
    assertThat(KafkaTopics.problem(new SaslAuthenticationException("no such user")))
        .isEqualTo(
            " does not accept who connects: no such user. Correct security.protocol, sasl.… or ssl.…"
                + " in kafka.properties");
    assertThat(KafkaTopics.problem(new TopicAuthorizationException("not for you")))
        .isEqualTo(" does not allow it: not for you. Grant Describe and Read");
    assertThat(KafkaTopics.problem(new TimeoutException("nobody")))
        .isEqualTo(" did not answer within 15 s: nobody");
  }
}
