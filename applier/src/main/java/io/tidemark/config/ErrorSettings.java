package io.tidemark.config;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What happens to messages that cannot be decoded.
 *
 * @param topic where they go under {@link ErrorPolicy#DEAD_LETTER}; null under any other policy
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
          "Topic for dead letters; needed with the policy `dead-letter` and refused with any other."
              + " It must not be one of `kafka.topics`.");

  static final List<Key<?>> KEYS = List.of(POLICY, TOPIC);

  public ErrorSettings {
    if ((policy == ErrorPolicy.DEAD_LETTER) != (topic != null)) {
      throw new IllegalArgumentException("policy " + policy + " with topic " + topic);
    }
  }

  static ErrorSettings read(Section section, Topics topics) {
    ErrorPolicy policy = section.get(POLICY);
    String topic = section.find(TOPIC);
    ErrorSettings fail = new ErrorSettings(ErrorPolicy.FAIL, null);
    if (!section.isSound(POLICY, TOPIC)) {
      return fail;
    }
    if (policy != ErrorPolicy.DEAD_LETTER && topic != null) {
      section.refuse(
          TOPIC, "is used with the policy dead-letter only, found policy " + Names.of(policy));
      return fail;
    }
    if (policy == ErrorPolicy.DEAD_LETTER && topic == null) {
      section.refuse(
          TOPIC, "is missing, the policy dead-letter needs " + TOPIC.syntax().expected());
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
