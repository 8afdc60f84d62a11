package io.tidemark.config;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.jspecify.annotations.Nullable;

/** Which topics are read. */
public sealed interface Topics {

  /** Whether the topic is one of them. */
  boolean contains(String topic);

  /**
   * Topics by name.
   *
   * @param names at least one, none twice
   */
  record Named(List<String> names) implements Topics {
    public Named {
      names = List.copyOf(names);
    }

    @Override
    public boolean contains(String topic) {
      return names.contains(topic);
    }

    @Override
    public String toString() {
      return names.toString();
    }
  }

  /**
   * All topics whose whole name matches.
   *
   * @param regex a valid regular expression
   */
  record Matching(String regex) implements Topics {
    @Override
    public boolean contains(String topic) {
      return pattern().matcher(topic).matches();
    }

    /** The compiled expression. */
    public Pattern pattern() {
      return Pattern.compile(regex);
    }

    @Override
    public String toString() {
      return regex;
    }
  }

  /** Kafka's own rule. */
  Syntax<String> NAME =
      Syntax.text(
          "the name of a topic: letters, digits, dots, dashes and underscores",
          text -> {
            if (!text.matches("[A-Za-z0-9._-]{1,249}") || text.equals(".") || text.equals("..")) {
              throw new IllegalArgumentException();
            }
            return text;
          });

  /** A regular expression, kept as its text because a compiled one has no equality. */
  Syntax<String> REGEX = Syntax.text("a regular expression", Topics::regex);

  /** A text is an expression, a list is names. */
  Syntax<Topics> SYNTAX =
      new Syntax<>("a regular expression, or a list of topic names", Topics::read);

  private static String regex(String text) {
    try {
      Pattern.compile(text);
      return text;
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          e.getDescription() + (e.getIndex() >= 0 ? " at position " + (e.getIndex() + 1) : ""), e);
    }
  }

  private static @Nullable Topics read(String path, Tree tree, Problems problems) {
    if (!(tree instanceof Tree.Listing list)) {
      String regex = REGEX.reader().read(path, tree, problems);
      return regex == null ? null : new Matching(regex);
    }
    if (list.items().isEmpty()) {
      problems.add(path, tree.line(), "found an empty list, expected at least one topic name");
      return null;
    }
    List<String> names = new ArrayList<>();
    for (int i = 0; i < list.items().size(); i++) {
      String item = path + "[" + i + "]";
      String name = NAME.reader().read(item, list.items().get(i), problems);
      if (name != null && names.contains(name)) {
        problems.add(item, list.items().get(i).line(), "found \"" + name + "\" a second time");
      } else if (name != null) {
        names.add(name);
      }
    }
    return new Named(names);
  }
}
