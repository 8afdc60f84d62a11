package io.tidemark.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.recovery.OrdersTopic.Outcome;
import io.tidemark.sandbox.EmbeddedKafka;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a login must be allowed to do. */
class RightsTest {
  @TempDir private Path directory;

  @Test
  void describeAndReadAreEnoughAndWithoutThemItIsSaid() throws Exception {
    try (EmbeddedKafka kafka =
            EmbeddedKafka.start(
                directory.resolve("kafka"),
                Map.of(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
                    "allow.everyone.if.no.acl.found",
                    "true"));
        OrdersTopic topic = new OrdersTopic(kafka, "orders", directory)) {
      topic.put(1, "a", 10, 1);
      String file = topic.file() + "";

      allow(kafka, "User:another", AclOperation.READ);
      assertThat(topic.type("check", "-c", file).out())
          .contains("kafka.topics names orders, which the cluster does not have")
          .contains("or grant Describe: Kafka hides what a login may not see");
      Outcome hidden = topic.type("run", "-c", file, "--until", "caught-up");
      assertThat(hidden.err())
          .contains("no topic matches [orders], expected one that is there")
          .contains("that this login may see (Describe)");

      allow(kafka, "User:ANONYMOUS", AclOperation.DESCRIBE);
      Outcome unread = topic.type("run", "-c", file, "--until", "caught-up");
      assertThat(unread.err()).contains("does not allow it").contains("Grant Describe and Read");

      allow(kafka, "User:ANONYMOUS", AclOperation.READ);
      Outcome checked = topic.type("check", "-c", file);
      assertThat(checked.exit()).as(checked.out()).isZero();
      assertThat(topic.type("run", "-c", file, "--until", "caught-up").exit()).isZero();
      Outcome verified = topic.type("verify", "-c", file);
      assertThat(verified.exit()).as(verified.err()).isZero();
    }
  }

  private static void allow(EmbeddedKafka kafka, String principal, AclOperation operation)
      throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      admin
          .createAcls(
              List.of(
                  new AclBinding(
                      new ResourcePattern(ResourceType.TOPIC, "orders", PatternType.LITERAL),
                      new AccessControlEntry(principal, "*", operation, AclPermissionType.ALLOW))))
          .all()
          .get();
    }
  }
}
