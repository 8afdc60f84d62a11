package io.tidemark.verify;

import io.tidemark.config.MessageSettings;
import io.tidemark.debezium.Unwrap;
import io.tidemark.debezium.Unwrap.DeleteHandling;
import io.tidemark.debezium.registry.RegistrySettings;
import io.tidemark.oracle.AvroLog;
import io.tidemark.oracle.Flattened;
import io.tidemark.oracle.LogFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tells the oracle what the configuration says of messages. */
final class MessageForms {

  private MessageForms() {}

  static LogFormat of(MessageSettings messages) {
    return new LogFormat(avro(messages.registry()), flattened(messages.unwrapped()));
  }

  private static @Nullable AvroLog avro(@Nullable RegistrySettings registry) {
    if (registry == null) {
      return null;
    }
    String kind =
        switch (registry.ids().kind()) {
          case SCHEMA -> "schema";
          case GLOBAL -> "globalId";
          case CONTENT -> "contentId";
        };
    return new AvroLog(new RegistryReader(registry), registry.ids().bytes(), kind);
  }

  private static @Nullable Flattened flattened(@Nullable Unwrap unwrap) {
    if (unwrap == null) {
      return null;
    }
    boolean rewritten =
        Set.of(DeleteHandling.REWRITE, DeleteHandling.REWRITE_WITH_TOMBSTONE)
            .contains(unwrap.deletes());
    return new Flattened(
        rewritten,
        unwrap.addFields(),
        unwrap.fieldsPrefix(),
        unwrap.addHeaders(),
        unwrap.headersPrefix());
  }
}
