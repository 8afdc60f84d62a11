package io.tidemark.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Turns exceptions into what a user is told. */
public final class Failures {

  /**
   * What an exception means.
   *
   * @param message what is said of it
   */
  public record Rule<E extends Throwable>(
      Class<E> type, FailureKind kind, Function<? super E, String> message) {

    /** An exception whose own message says it all. */
    public static <E extends Throwable> Rule<E> of(Class<E> type, FailureKind kind) {
      return new Rule<>(type, kind, e -> said(e));
    }

    private Failure apply(Throwable e) {
      return new Failure(kind, message.apply(type.cast(e)));
    }
  }

  private final List<Rule<?>> rules;

  /**
   * Makes one.
   *
   * @param rules the first whose type fits wins
   */
  public Failures(List<Rule<?>> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * What a failure is. The outermost exception that a rule knows decides, because it was thrown by
   * who knew most of the circumstances; if none is known, it is a bug.
   */
  public Failure explain(Throwable thrown) {
    List<Throwable> chain = chain(thrown);
    for (Throwable e : chain) {
      for (Rule<?> rule : rules) {
        if (rule.type().isInstance(e)) {
          return rule.apply(e);
        }
      }
    }
    Throwable root = chain.get(chain.size() - 1);
    return new Failure(
        FailureKind.BUG,
        "Unexpected "
            + root.getClass().getSimpleName()
            + ": "
            + said(root)
            + ". This may be a bug in Tidemark; --verbose shows where it happened.");
  }

  private static List<Throwable> chain(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Throwable> chain = new ArrayList<>();
    for (Throwable e = thrown; e != null && seen.add(e); e = e.getCause()) {
      chain.add(e);
    }
    return chain;
  }

  private static String said(Throwable e) {
    String message = e.getMessage();
    return message == null || message.isBlank() ? e.getClass().getName() : message.strip();
  }
}
