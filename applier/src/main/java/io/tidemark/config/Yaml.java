package io.tidemark.config;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Reads the text of a configuration file. No value is given a type, so no tag can make an object.
 */
final class Yaml {
  /** Deeper than any configuration, and a stop for an anchor that contains itself. */
  private static final int MAX_DEPTH = 16;

  private final Variables variables;
  private final Problems problems;

  private Yaml(Variables variables, Problems problems) {
    this.variables = variables;
    this.problems = problems;
  }

  /** The document's root; an empty mapping, with a problem added, if it is none. */
  static Tree.Mapping read(String text, Variables variables, Problems problems) {
    Node root;
    try {
      root = new org.yaml.snakeyaml.Yaml(new LoaderOptions()).compose(new StringReader(text));
    } catch (MarkedYAMLException e) {
      Mark mark = e.getProblemMark();
      problems.add(
          "", mark == null ? 0 : mark.getLine() + 1, "this is not YAML: " + reason(e, mark));
      return Tree.Mapping.empty(1);
    } catch (YAMLException e) {
      problems.add("", 0, "this is not YAML: " + e.getMessage());
      return Tree.Mapping.empty(1);
    }
    Tree tree = root == null ? new Tree.Empty(1) : new Yaml(variables, problems).tree("", root, 0);
    if (tree instanceof Tree.Mapping mapping) {
      return mapping;
    }
    if (tree instanceof Tree.Empty) {
      problems.add("", 0, "the file is empty, expected at least the keys kafka and catalog");
    } else {
      problems.unfit("", tree, "a mapping with at least the keys kafka and catalog");
    }
    return Tree.Mapping.empty(1);
  }

  private static String reason(
      MarkedYAMLException e, @org.jspecify.annotations.Nullable Mark mark) {
    String what = e.getContext() == null ? e.getProblem() : e.getContext() + ", " + e.getProblem();
    return mark == null ? what : what + " at column " + (mark.getColumn() + 1);
  }

  private Tree tree(String path, Node node, int depth) {
    int line = node.getStartMark().getLine() + 1;
    if (depth > MAX_DEPTH) {
      problems.add(path, line, "found more than " + MAX_DEPTH + " levels of nesting");
      return new Tree.Empty(line);
    }
    if (node instanceof MappingNode mapping) {
      return mapping(path, mapping, depth);
    }
    if (node instanceof SequenceNode sequence) {
      List<Tree> items = new ArrayList<>();
      for (Node item : sequence.getValue()) {
        items.add(tree(path + "[" + items.size() + "]", item, depth + 1));
      }
      return new Tree.Listing(items, line);
    }
    ScalarNode scalar = (ScalarNode) node;
    String written = scalar.getValue();
    if (written.isEmpty() && scalar.getTag().equals(Tag.NULL)) {
      return new Tree.Empty(line);
    }
    int before = problems.count();
    String filled = variables.fill(path, line, written, problems);
    return problems.count() > before
        ? new Tree.Unfilled(written, line)
        : new Tree.Scalar(written, filled, line);
  }

  private Tree mapping(String path, MappingNode node, int depth) {
    Map<String, Tree> entries = new LinkedHashMap<>();
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (NodeTuple tuple : node.getValue()) {
      int line = tuple.getKeyNode().getStartMark().getLine() + 1;
      if (!(tuple.getKeyNode() instanceof ScalarNode keyNode)) {
        problems.add(path, line, "found a list or mapping as a key, expected a name");
        continue;
      }
      String key = keyNode.getValue();
      String full = path.isEmpty() ? key : path + "." + key;
      Integer first = lines.putIfAbsent(key, line);
      if (first != null) {
        problems.add(full, line, "found a second time, the first is on line " + first);
        continue;
      }
      entries.put(key, tree(full, tuple.getValueNode(), depth + 1));
    }
    return new Tree.Mapping(entries, lines, node.getStartMark().getLine() + 1);
  }
}
