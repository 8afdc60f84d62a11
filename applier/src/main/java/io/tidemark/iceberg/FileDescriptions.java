package io.tidemark.iceberg;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ContentFileParser;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.util.JsonUtil;

/** Files as JSON texts, which is Iceberg's own form of them and complete. */
final class FileDescriptions {
  private static final String SPEC_ID = "spec-id"; // ContentFileParser's own name for it

  private FileDescriptions() {}

  static List<String> write(
      List<? extends ContentFile<?>> files, Map<Integer, PartitionSpec> specs) {
    return files.stream().map(file -> write(file, specs)).toList();
  }

  static List<DataFile> readData(List<String> texts, Map<Integer, PartitionSpec> specs) {
    return texts.stream().map(text -> (DataFile) read(text, specs)).toList();
  }

  static List<DeleteFile> readDeletes(List<String> texts, Map<Integer, PartitionSpec> specs) {
    return texts.stream().map(text -> (DeleteFile) read(text, specs)).toList();
  }

  /** Of the partition specs under which they lie, which the table may not have any more. */
  static Set<Integer> specIds(List<String> texts) {
    Set<Integer> ids = new TreeSet<>();
    texts.forEach(text -> ids.add(JsonUtil.parse(text, node -> JsonUtil.getInt(SPEC_ID, node))));
    return ids;
  }

  private static String write(ContentFile<?> file, Map<Integer, PartitionSpec> specs) {
    PartitionSpec spec = specs.get(file.specId());
    if (spec == null) {
      throw new IllegalStateException(
          "No partition spec " + file.specId() + " for " + file.location());
    }
    return ContentFileParser.toJson(file, spec);
  }

  private static ContentFile<?> read(String text, Map<Integer, PartitionSpec> specs) {
    return JsonUtil.parse(text, node -> ContentFileParser.fromJson(node, specs));
  }
}
