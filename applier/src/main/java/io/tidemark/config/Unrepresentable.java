package io.tidemark.config;

/** What happens to a value that the column's type cannot hold, such as an infinite timestamp. */
public enum Unrepresentable {
  /** The message goes to the error policy. */
  FAIL,
  /** The column becomes null. */
  NULL
}
