package io.tidemark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;
import java.util.Random;

@AnalyzeClasses(packages = "io.tidemark", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String[] PURE = {
    "io.tidemark.commit..",
    "io.tidemark.config..",
    "io.tidemark.failure..",
    "io.tidemark.merge..",
    "io.tidemark.metric..",
    "io.tidemark.table.."
  };
  private static final String[] WIRING = {"io.tidemark.cli..", "io.tidemark.job.."};
  private static final String FLINK = "org.apache.flink..";
  private static final String ICEBERG = "org.apache.iceberg..";

  @ArchTest
  static final ArchRule purePackagesKnowNoEngine =
      noClasses()
          .that()
          .resideInAnyPackage(PURE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(FLINK, ICEBERG, "org.apache.hadoop..", "org.apache.kafka..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule flinkStaysInTheAdaptersAndTheWiring =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "io.tidemark.flink..", "io.tidemark.iceberg..", WIRING[0], WIRING[1])
          .should()
          .dependOnClassesThat()
          .resideInAPackage(FLINK)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule icebergStaysInItsAdapterAndTheWiring =
      noClasses()
          .that()
          .resideOutsideOfPackages("io.tidemark.iceberg..", WIRING[0], WIRING[1])
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ICEBERG)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule nobodyKnowsTheWiring =
      noClasses()
          .that()
          .resideOutsideOfPackages(WIRING)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(WIRING)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule clocksAndChanceAreGiven =
      noClasses()
          .that()
          .resideOutsideOfPackages(WIRING)
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(Random.class)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.tidemark.(**)").should().beFreeOfCycles().allowEmptyShould(true);

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      noClasses()
          .should()
          .haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)(\\$.*)?")
          .allowEmptyShould(true);
}
