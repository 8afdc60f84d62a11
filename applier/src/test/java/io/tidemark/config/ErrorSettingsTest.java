package io.tidemark.config;

import static io.tidemark.config.SettingsFixture.refusal;
import static io.tidemark.config.SettingsFixture.with;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ErrorSettingsTest {

  @Test
  void defaults() {
    assertThat(with("errors:\n").errors()).isEqualTo(new ErrorSettings(ErrorPolicy.FAIL, null));
  }

  @Test
  void everyKeyIsRead() {
    String text = "errors: {policy: dead-letter, topic: dead.shop}\n";

    SettingsFixture.assertNames(text, ErrorSettings.KEYS);
    assertThat(with(text).errors())
        .isEqualTo(new ErrorSettings(ErrorPolicy.DEAD_LETTER, "dead.shop"));
  }

  @Test
  void everyProblemIsReportedAtOnce() {
    assertThat(refusal(() -> with("errors: {policy: deadletter, topic: 'a b', retry: 3}\n")))
        .isEqualTo(
            """
            The configuration has 3 problems:
              errors.retry (line 7): found an unknown key, expected one of policy, topic
              errors.policy (line 7): found "deadletter", expected fail, dead-letter or skip
              errors.topic (line 7): found "a b", expected the name of a topic: letters, digits, dots, dashes and underscores
            """);
  }

  @Test
  void aRouteMaySendDeadLettersWhateverThePolicyIs() {
    String route = "routes: [{topics: '.*', on-unrepresentable: dead-letter}]\n";
    assertThat(with(route + "errors: {topic: dead.shop}\n").errors())
        .isEqualTo(new ErrorSettings(ErrorPolicy.FAIL, "dead.shop"));
    assertThat(refusal(() -> with(route)))
        .contains(
            "errors.topic: is missing, routes.on-unrepresentable: dead-letter needs the name of a");
  }

  @Test
  void policyAndTopicFitEachOther() {
    assertThat(refusal(() -> with("errors: {policy: dead-letter}\n")))
        .contains(
            "errors.topic (line 7): is missing, the policy dead-letter needs the name of a topic");
    assertThat(with("errors: {policy: skip, topic: x}\n").errors())
        .isEqualTo(new ErrorSettings(ErrorPolicy.SKIP, "x")); // letters of before are still read
    assertThat(refusal(() -> with("errors: {policy: dead-letter, topic: shop.dead}\n")))
        .contains(
            "found \"shop.dead\", which kafka.topics reads too: dead letters would be read again");
  }
}
