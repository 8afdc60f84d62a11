package io.tidemark.processes;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** What the jar for clusters holds, and what it must leave to the cluster. */
class ClusterJarContentsTest {
  private static final List<String> NOT_OURS =
      List.of(
          "org/apache/flink/core/",
          "org/apache/flink/runtime/",
          "org/apache/flink/streaming/api/",
          "org/apache/flink/streaming/runtime/",
          "org/apache/flink/table/",
          "org/slf4j/",
          "org/apache/logging/",
          "org/rocksdb/",
          "io/tidemark/sandbox/",
          "io/tidemark/oracle/");

  /** Iceberg's Flink runtime brings it, so that Flink finds no Scala. */
  private static final String ICEBERGS =
      "org/apache/flink/table/api/runtime/types/FlinkScalaKryoInstantiator.class";

  @Test
  void nothingOfFlinkItselfAndNothingOfTheTestsIsInIt() throws IOException {
    assertThat(entries())
        .filteredOn(name -> name.endsWith(".class") && !name.equals(ICEBERGS))
        .filteredOn(name -> NOT_OURS.stream().anyMatch(name::startsWith))
        .isEmpty();
    assertThat(entries())
        .contains(
            "io/tidemark/cli/ClusterCommand.class",
            "org/apache/flink/connector/kafka/source/KafkaSource.class",
            "org/apache/avro/Schema.class",
            "org/apache/iceberg/rest/RESTCatalog.class",
            "org/apache/hadoop/conf/Configuration.class");
  }

  @Test
  void noSignatureIsLeftOfTheJarsThatWentIn() throws IOException {
    assertThat(entries()).noneMatch(name -> name.matches("META-INF/[^/]*\\.(SF|RSA|DSA|EC)"));
  }

  @Test
  void noEntryIsThereTwice() throws IOException {
    assertThat(entries()).doesNotHaveDuplicates();
  }

  @Test
  void servicesOfSeveralJarsAreMerged() throws IOException {
    try (JarFile jar = new JarFile(ClusterJar.path().toFile())) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("io.tidemark.cli.ClusterCommand");
      assertThat(lines(jar, "META-INF/services/org.apache.hadoop.fs.FileSystem"))
          .contains(
              "org.apache.hadoop.fs.LocalFileSystem",
              "org.apache.hadoop.hdfs.DistributedFileSystem");
      assertThat(lines(jar, "META-INF/services/com.fasterxml.jackson.databind.Module"))
          .contains(
              "com.fasterxml.jackson.datatype.jdk8.Jdk8Module",
              "com.fasterxml.jackson.datatype.jsr310.JavaTimeModule");
      assertThat(
              lines(
                  jar, "META-INF/services/org.apache.kafka.common.config.provider.ConfigProvider"))
          .contains("org.apache.kafka.common.config.provider.FileConfigProvider");
    }
  }

  private static List<String> entries() throws IOException {
    try (JarFile jar = new JarFile(ClusterJar.path().toFile())) {
      return jar.stream().map(ZipEntry::getName).toList();
    }
  }

  private static List<String> lines(JarFile jar, String name) throws IOException {
    ZipEntry entry = jar.getEntry(name);
    assertThat(entry).as(name).isNotNull();
    return new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8)
        .lines()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .toList();
  }
}
