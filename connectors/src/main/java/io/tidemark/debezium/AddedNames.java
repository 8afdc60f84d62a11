package io.tidemark.debezium;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which names in a message, or of its headers, the transform added. Not thread-safe. */
final class AddedNames {
  /** Of a rewritten delete; no option renames it. */
  static final String DELETED = "__deleted";

  /** Real topics have a few; damaged messages may have any. */
  private static final int REMEMBERED = 100;

  private final String prefix;
  private final boolean derives;
  private final Map<String, AddedName> known = new HashMap<>();

  /** Fields: those that are listed, and without a list all that have the prefix. */
  static AddedNames ofFields(Unwrap unwrap) {
    List<String> entries = unwrap.addFields();
    AddedNames fields = new AddedNames(entries, unwrap.fieldsPrefix(), entries.isEmpty());
    fields.known.put(DELETED, new AddedName(DELETED, "", "deleted"));
    return fields;
  }

  /** Headers: those that are listed. */
  static AddedNames ofHeaders(Unwrap unwrap) {
    return new AddedNames(unwrap.addHeaders(), unwrap.headersPrefix(), false);
  }

  private AddedNames(List<String> entries, String prefix, boolean derives) {
    this.prefix = prefix;
    this.derives = derives;
    for (String entry : entries) {
      AddedName added = AddedName.listed(entry, prefix);
      known.put(added.name(), added);
    }
  }

  /** What a name stands for; null for one that was not added. */
  @Nullable AddedName find(String name) {
    AddedName added = known.get(name);
    if (added == null && derives && name.startsWith(prefix)) {
      added = AddedName.derived(name, name.substring(prefix.length()));
      if (known.size() < REMEMBERED) {
        known.put(name, added);
      }
    }
    return added;
  }
}
