package io.tidemark.failure;

/**
 * A failure as it is shown.
 *
 * @param message one paragraph, or a list of problems; no stack trace
 */
public record Failure(FailureKind kind, String message) {}
