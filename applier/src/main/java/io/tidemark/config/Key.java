package io.tidemark.config;

import org.jspecify.annotations.Nullable;

/**
 * A key of the configuration, declared once: reading, checking and the page of keys all come from
 * here.
 *
 * @param path without positions: {@code routes.table}
 * @param fallback what holds without it, as one would write it; null if nothing does
 * @param standIn a value that fits: the fallback, or an example for the page of keys. A value that
 *     does not fit is reported and replaced by it, so that the rest can be checked too
 * @param required whether it must be given
 * @param help what it is for: sentences for the page of keys
 */
record Key<T>(
    String path,
    Syntax<T> syntax,
    @Nullable String fallback,
    String standIn,
    boolean required,
    String help) {

  static <T> Key<T> required(String path, Syntax<T> syntax, String example, String help) {
    return new Key<>(path, syntax, null, example, true, help);
  }

  static <T> Key<T> optional(String path, Syntax<T> syntax, String fallback, String help) {
    return new Key<>(path, syntax, fallback, fallback, false, help);
  }

  /** A key whose absence means something of its own, which {@code help} says. */
  static <T> Key<T> unset(String path, Syntax<T> syntax, String example, String help) {
    return new Key<>(path, syntax, null, example, false, help);
  }

  /** The part that stands in its section. */
  String name() {
    for (String section : Settings.SECTIONS) {
      if (path.startsWith(section + ".")) {
        return path.substring(section.length() + 1);
      }
    }
    return path;
  }
}
