package io.tidemark.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A mapping of the file, read key by key. */
final class Section {
  private final String path;
  private final Tree.Mapping mapping;
  private final Problems problems;
  private final Set<String> unsound = new HashSet<>();

  Section(String path, Tree.Mapping mapping, Problems problems) {
    this.path = path;
    this.mapping = mapping;
    this.problems = problems;
  }

  Problems problems() {
    return problems;
  }

  /** The value of a key; its stand-in if there is a problem with it, which is added. */
  <T> T get(Key<T> key) {
    T value = find(key);
    if (value != null) {
      return value;
    }
    if (key.required() && !mapping.entries().containsKey(key.name())) {
      unsound.add(key.name());
      problems.add(path(key), mapping.line(), "is missing, expected " + key.syntax().expected());
    }
    return standIn(key);
  }

  /** The value of a key; null if it is absent or there is a problem with it, which is added. */
  <T> @Nullable T find(Key<T> key) {
    Tree tree = mapping.entries().get(key.name());
    if (tree == null) {
      return null;
    }
    int before = problems.count();
    T value = key.syntax().reader().read(path(key), tree, problems);
    if (value == null || problems.count() > before) {
      unsound.add(key.name());
    }
    return value;
  }

  /** Whether all of the keys could be read, so that checks which need them make sense. */
  boolean isSound(Key<?>... keys) {
    for (Key<?> key : keys) {
      if (unsound.contains(key.name())) {
        return false;
      }
    }
    return true;
  }

  /** Says of a key that was read what is wrong with it. */
  void refuse(Key<?> key, String message) {
    problems.add(path(key), line(key), message);
  }

  /** Says of an entry of a mapping of texts what is wrong with it. */
  void refuse(Key<?> key, String entry, String message) {
    Integer line =
        mapping.entries().get(key.name()) instanceof Tree.Mapping inner
            ? inner.lines().get(entry)
            : null;
    problems.add(path(key) + "." + entry, line == null ? line(key) : line, message);
  }

  /** What a message shows of a key's value. */
  String shown(Key<?> key) {
    Tree tree = mapping.entries().get(key.name());
    return tree == null ? "nothing" : Secrets.shown(path(key), tree);
  }

  /** What a message shows of an entry of a mapping of texts. */
  String shown(Key<?> key, String entry) {
    Tree tree =
        mapping.entries().get(key.name()) instanceof Tree.Mapping inner
            ? inner.entries().get(entry)
            : null;
    return tree == null ? "nothing" : Secrets.shown(path(key) + "." + entry, tree);
  }

  private int line(Key<?> key) {
    return mapping.lines().getOrDefault(key.name(), mapping.line());
  }

  /** A section in this one; an empty one if it is absent. */
  Section section(String name) {
    Tree tree = mapping.entries().get(name);
    String inner = join(name);
    if (tree instanceof Tree.Mapping found) {
      return new Section(inner, found, problems);
    }
    if (tree != null && !(tree instanceof Tree.Empty)) {
      problems.unfit(inner, tree, "a mapping");
    }
    return new Section(inner, Tree.Mapping.empty(tree == null ? 0 : tree.line()), problems);
  }

  /** A list of sections in this one; an empty list if it is absent. */
  List<Section> sections(String name) {
    Tree tree = mapping.entries().get(name);
    List<Section> sections = new ArrayList<>();
    if (tree instanceof Tree.Listing list) {
      for (int i = 0; i < list.items().size(); i++) {
        String inner = join(name) + "[" + i + "]";
        if (list.items().get(i) instanceof Tree.Mapping found) {
          sections.add(new Section(inner, found, problems));
        } else {
          problems.unfit(inner, list.items().get(i), "a mapping");
        }
      }
    } else if (tree != null && !(tree instanceof Tree.Empty)) {
      problems.unfit(join(name), tree, "a list of mappings");
    }
    return sections;
  }

  /**
   * Refuses every key that is not known here.
   *
   * @param known names in this section
   */
  void refuseOthers(List<String> known) {
    for (String name : mapping.entries().keySet()) {
      if (!known.contains(name)) {
        problems.add(
            join(name),
            mapping.lines().getOrDefault(name, 0),
            "found an unknown key, " + Settings.suggestion(path, name, known));
      }
    }
  }

  private String path(Key<?> key) {
    return join(key.name());
  }

  private String join(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static <T> T standIn(Key<T> key) {
    Problems none = new Problems();
    Tree tree = Yaml.read("it: " + key.standIn(), Variables.NONE, none).entries().get("it");
    T value = tree == null ? null : key.syntax().reader().read(key.path(), tree, none);
    if (value == null || none.count() > 0) {
      throw new AssertionError("The stand-in of " + key.path() + " does not fit: " + key.standIn());
    }
    return value;
  }
}
