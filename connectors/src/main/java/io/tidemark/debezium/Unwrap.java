package io.tidemark.debezium;

import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What Debezium's transform {@code ExtractNewRecordState} did to the envelope, by its own options.
 *
 * @param deletes {@code delete.tombstone.handling.mode}
 * @param addFields {@code add.fields}; empty to take every field that starts with the prefix as one
 *     that was added
 * @param fieldsPrefix {@code add.fields.prefix}
 * @param addHeaders {@code add.headers}; empty if it adds none
 * @param headersPrefix {@code add.headers.prefix}
 */
public record Unwrap(
    DeleteHandling deletes,
    List<String> addFields,
    String fieldsPrefix,
    List<String> addHeaders,
    String headersPrefix)
    implements Serializable {

  /** Debezium's own default of both prefixes. */
  public static final String PREFIX = "__";

  /** The transform with its defaults, and whatever fields it was told to add. */
  public static final Unwrap DEFAULTS =
      new Unwrap(DeleteHandling.TOMBSTONE, List.of(), PREFIX, List.of(), PREFIX);

  /** What becomes of a delete and of the tombstone after it. */
  public enum DeleteHandling {
    /** Neither is written. */
    DROP,
    /** The delete is a record without value, or whose value is JSON null. */
    TOMBSTONE,
    /** The delete is the row as it was, with {@code __deleted}. */
    REWRITE,
    /** The same, and then the tombstone. */
    REWRITE_WITH_TOMBSTONE,
    /** The delete is a record without value. */
    DELETE_TO_TOMBSTONE;

    /** Debezium's own name of it. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * Checks that what was added can be told from what was there.
   *
   * @throws IllegalArgumentException if the fields' prefix is empty and they are not listed, or a
   *     name is listed twice or has another form than {@code [struct.]field[:name]}
   */
  public Unwrap {
    if (fieldsPrefix.isEmpty() && addFields.isEmpty()) {
      throw new IllegalArgumentException("add.fields must be given where its prefix is empty");
    }
    addFields = checked("add.fields", addFields, fieldsPrefix);
    addHeaders = checked("add.headers", addHeaders, headersPrefix);
  }

  private static List<String> checked(String option, List<String> added, String prefix) {
    Set<String> names = new HashSet<>();
    for (String text : added) {
      if (!names.add(AddedName.listed(text, prefix).name())) {
        throw new IllegalArgumentException(option + " adds a name twice: " + text);
      }
    }
    return List.copyOf(added);
  }
}
