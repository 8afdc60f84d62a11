package io.tidemark.config;

import io.tidemark.debezium.OnUnrepresentable;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to messages that cannot be decoded.
 *
 * @param topic where they go under {@link ErrorPolicy#DEAD_LETTER}, and whatever the policy is
 *     those whose route says so, and where letters from before are read from; null for none
 */
public record ErrorSettings(ErrorPolicy policy, @Nullable String topic) {

  static final Key<ErrorPolicy> POLICY =
      Key.optional(
          "errors.policy",
          Syntax.choice(ErrorPolicy.class),
          "fail",
          "What happens to a message that cannot be decoded: `fail` stops the job before any later"
              + " offset is recorded; `dead-letter` writes the raw record with its reason and position"
              + " to `errors.topic` and goes on; `skip` counts it, logs its position and goes on.");
  static final Key<String> TOPIC =
      Key.unset(
          "errors.topic",
          Topics.NAME,
          "shop.dead-letters",
          "Topic for dead letters; needed with the policy `dead-letter` or"
              + " `routes.on-unrepresentable: dead-letter`. With another policy nothing is written"
              + " to it, and `redrive` and `verify` still read it. It must not be one of"
              + " `kafka.topics`.");

  static final List<Key<?>> KEYS = List.of(POLICY, TOPIC);

  public ErrorSettings {
    if (policy == ErrorPolicy.DEAD_LETTER && topic == null) {
      throw new IllegalArgumentException("policy " + policy + " without topic");
    }
  }

  /**
   * Reads them.
   *
   * @param routes some of which may send dead letters too
   */
  static ErrorSettings read(Section section, Topics topics, List<RouteSettings> routes) {
    boolean fromRoutes =
        routes.stream().anyMatch(r -> r.onUnrepresentable() == OnUnrepresentable.DEAD_LETTER);
    ErrorPolicy policy = section.get(POLICY);
    String topic = section.find(TOPIC);
    ErrorSettings fail = new ErrorSettings(ErrorPolicy.FAIL, null);
    if (!section.isSound(POLICY, TOPIC)) {
      return fail;
    }
    boolean used = policy == ErrorPolicy.DEAD_LETTER || fromRoutes;
    if (used && topic == null) {
      String what =
          fromRoutes ? "routes.on-unrepresentable: dead-letter" : "the policy dead-letter";
      section.refuse(TOPIC, "is missing, " + what + " needs " + TOPIC.syntax().expected());
      return fail;
    }
    if (topic != null && topics.contains(topic)) {
      section.refuse(
          TOPIC,
          "found \""
              + topic
              + "\", which kafka.topics reads too: dead letters would be read again");
    }
    return new ErrorSettings(policy, topic);
  }
}
