package io.tidemark.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SideTopicsTest {
  private final List<String> looked = new ArrayList<>();

  @Test
  void whatAPatternAlsoMatchesIsLeftOut() {
    assertThat(tables(new Topics.Matching("s.*"), "s.a", "s.side", "s.side2"))
        .containsExactly("s.a");
  }

  @Test
  void aNamedTopicIsMeant() {
    Topics named = new Topics.Named(List.of("s.a", "s.side"));
    assertThat(tables(named, "s.a", "s.side")).containsExactly("s.a", "s.side");
    assertThat(looked).isEmpty();
  }

  @Test
  void theOnlyOnesThatMatchAreMeant() {
    assertThat(tables(new Topics.Matching("s.*"), "s.side")).containsExactly("s.side");
    assertThat(looked).isEmpty();
    assertThat(tables(new Topics.Matching("s.*"), "s.side", "s.side2"))
        .containsExactly("s.side", "s.side2");
  }

  @Test
  void nothingIsReadOnceTwoTablesAreFound() {
    assertThat(tables(new Topics.Matching("s.*"), "s.a", "s.b", "s.side"))
        .containsExactly("s.a", "s.b", "s.side");
    assertThat(looked).containsExactly("s.a", "s.b");
  }

  private Set<String> tables(Topics wanted, String... topics) {
    return SideTopics.choose(
            wanted,
            Set.of(topics),
            topic -> {
              looked.add(topic);
              return topic.contains("side");
            })
        .tables();
  }
}
