package io.tidemark.debezium;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which names in a message, or of its headers, the transform added. */
final class AddedNames {
  /** Of a rewritten delete; no option renames it. */
  static final String DELETED = "__deleted";

  private final String prefix;
  private final boolean listed;
  private final Map<String, AddedName> known = new HashMap<>();

  AddedNames(List<String> entries, String prefix) {
    this.prefix = prefix;
    this.listed = !entries.isEmpty();
    for (String entry : entries) {
      AddedName added = AddedName.listed(entry, prefix);
      known.put(added.name(), added);
    }
  }

  /** What a name stands for; null for one that was not added. */
  @Nullable AddedName find(String name) {
    if (name.equals(DELETED)) {
      return new AddedName(DELETED, "", "deleted");
    }
    if (listed) {
      return known.get(name);
    }
    return name.startsWith(prefix)
        ? AddedName.derived(name, name.substring(prefix.length()))
        : null;
  }
}
