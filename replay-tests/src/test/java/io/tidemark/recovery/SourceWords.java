package io.tidemark.recovery;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The words of the main sources: every text that they hold, with {@link #GAP} where a value is put
 * in, and which of them an exception is made with. Read by the compiler's own parser, so that a
 * text is whole however it is broken into lines.
 */
final class SourceWords {
  /** Stands for a value in a text. */
  static final String GAP = "…";

  /** A text of a source file. */
  record Text(String file, String words) {}

  /**
   * A place that makes the words of a message.
   *
   * @param what the class of the exception, or {@code return}
   * @param texts those in its arguments; empty where other code makes the words
   */
  record Place(String method, String what, List<String> texts) {}

  final List<Text> texts = new ArrayList<>();
  final List<Place> places = new ArrayList<>();
  final Set<String> methods = new TreeSet<>();

  /**
   * Reads source trees.
   *
   * @param roots of Java sources
   */
  static SourceWords of(List<Path> roots) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Path root : roots) {
      try (Stream<Path> below = Files.walk(root)) {
        below.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
      }
    }
    SourceWords words = new SourceWords();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, manager, null, null, null, manager.getJavaFileObjectsFromPaths(files));
      for (CompilationUnitTree unit : task.parse()) {
        unit.accept(words.new Reader(), null);
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return words;
  }

  /** All of a chain of {@code +}, from left to right; null if it holds no text at all. */
  private static String joined(ExpressionTree tree) {
    StringBuilder words = new StringBuilder();
    boolean[] literal = {false};
    join(tree, words, literal);
    return literal[0] ? normal(words.toString()) : null;
  }

  private static void join(ExpressionTree tree, StringBuilder words, boolean[] literal) {
    if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
      join(sum.getLeftOperand(), words, literal);
      join(sum.getRightOperand(), words, literal);
    } else if (tree instanceof LiteralTree text && text.getValue() instanceof String value) {
      words.append(value);
      literal[0] = true;
    } else if (tree instanceof ParenthesizedTree inner
        && inner.getExpression() instanceof BinaryTree) {
      join(inner.getExpression(), words, literal);
    } else {
      words.append(GAP);
    }
  }

  static String normal(String words) {
    return words.replaceAll("%[sd]", GAP).replaceAll("\\s+", " ").strip();
  }

  private final class Reader extends TreeScanner<Void, Void> {
    private String type = "";
    private String method = "";

    @Override
    public Void visitClass(ClassTree tree, Void nothing) {
      String outer = type;
      if (outer.isEmpty()) {
        type = tree.getSimpleName().toString();
        method = type; // of its fields
      }
      super.visitClass(tree, nothing);
      type = outer;
      return null;
    }

    @Override
    public Void visitMethod(MethodTree tree, Void nothing) {
      method = type + "." + tree.getName();
      methods.add(method);
      super.visitMethod(tree, nothing);
      method = type;
      return null;
    }

    @Override
    public Void visitNewClass(NewClassTree tree, Void nothing) {
      place(tree.getIdentifier().toString(), tree.getArguments());
      return super.visitNewClass(tree, nothing);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
      place(tree.getMethodSelect().toString(), tree.getArguments());
      return super.visitMethodInvocation(tree, nothing);
    }

    @Override
    public Void visitReturn(ReturnTree tree, Void nothing) {
      if (tree.getExpression() != null) {
        place("return", List.of(tree.getExpression()));
      }
      return super.visitReturn(tree, nothing);
    }

    private void place(String what, List<? extends ExpressionTree> of) {
      List<String> found = new ArrayList<>();
      scanForTexts(of, found);
      places.add(new Place(method, what, found));
    }

    private void scanForTexts(List<? extends ExpressionTree> trees, List<String> found) {
      new TreeScanner<Void, Void>() {
        @Override
        public Void visitBinary(BinaryTree tree, Void nothing) {
          return take(tree) ? operands(tree) : super.visitBinary(tree, nothing);
        }

        @Override
        public Void visitLiteral(LiteralTree tree, Void nothing) {
          take(tree);
          return null;
        }

        /** What is put into a text may hold another one. */
        private Void operands(ExpressionTree tree) {
          if (tree instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            operands(sum.getLeftOperand());
            operands(sum.getRightOperand());
          } else if (tree instanceof ParenthesizedTree inner) {
            operands(inner.getExpression());
          } else if (!(tree instanceof LiteralTree)) {
            scan(tree, null);
          }
          return null;
        }

        private boolean take(ExpressionTree tree) {
          String words = joined(tree);
          if (words != null) {
            found.add(words);
          }
          return words != null;
        }
      }.scan(trees, null);
    }

    @Override
    public Void visitBinary(BinaryTree tree, Void nothing) {
      String words = joined(tree);
      if (words != null) {
        texts.add(new Text(type, words));
      }
      return super.visitBinary(tree, nothing);
    }

    @Override
    public Void visitLiteral(LiteralTree tree, Void nothing) {
      String words = joined(tree);
      if (words != null) {
        texts.add(new Text(type, words));
      }
      return null;
    }
  }
}
