package io.tidemark;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
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

  @ArchTest
  static final ArchRule theRuleStandsOnTheJdkAlone =
      classes()
          .that()
          .resideInAPackage("io.tidemark.change..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.tidemark.change..", "java..", "org.jspecify..");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("io.tidemark.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      noClasses().should().haveNameMatching(".*(Util|Utils|Helper|Manager|Impl)(\\$.*)?");

  @ArchTest
  static final ArchRule clocksAndChanceAreGiven =
      noClasses()
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(Math.class, "random")
          .orShould()
          .callConstructor(Random.class);
}
