package io.tidemark.format;

import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.client.model.changestream.OperationType;
import com.mongodb.client.model.changestream.UpdateDescription;
import io.debezium.config.Configuration;
import io.debezium.connector.mongodb.CollectionId;
import io.debezium.connector.mongodb.MongoDbCollectionSchema;
import io.debezium.connector.mongodb.MongoDbConnectorConfig;
import io.debezium.connector.mongodb.MongoDbOffsetContext;
import io.debezium.connector.mongodb.MongoDbSchema;
import io.debezium.connector.mongodb.MongoDbTaskContext;
import io.debezium.data.Envelope.Operation;
import java.time.Instant;
import java.util.Map;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonTimestamp;
import org.bson.json.JsonMode;
import org.bson.json.JsonWriterSettings;
import org.jspecify.annotations.Nullable;

/** Changes of a collection, as Debezium's MongoDB connector makes them of a change stream. */
final class MongoDbChanges {
  static final String TOPIC = "m.shop.customers";

  private final MongoDbCollectionSchema schema;
  private static final CollectionId COLLECTION = new CollectionId("shop", "customers");

  @SuppressWarnings("deprecation") // as the connector writes documents
  private static final JsonWriterSettings STRICT =
      JsonWriterSettings.builder()
          .outputMode(JsonMode.STRICT)
          .indent(true)
          .indentCharacters("")
          .newLineCharacters("")
          .build();

  private final MongoDbOffsetContext offsets;
  private int made;

  @SuppressWarnings("unchecked") // the connector itself asks for its naming strategy without a type
  MongoDbChanges() {
    Configuration config =
        Configuration.from(
            Map.of(
                "topic.prefix", "m",
                "name", "m",
                "mongodb.connection.string", "mongodb://localhost/?replicaSet=rs0"));
    MongoDbConnectorConfig settings = new MongoDbConnectorConfig(config);
    MongoDbSchema schemas =
        new MongoDbSchema(
            settings,
            new MongoDbTaskContext(config),
            settings.getTopicNamingStrategy(MongoDbConnectorConfig.TOPIC_NAMING_STRATEGY),
            settings.getSourceInfoStructMaker().schema(),
            settings.schemaNameAdjuster());
    schema = (MongoDbCollectionSchema) schemas.schemaFor(COLLECTION);
    offsets = MongoDbOffsetContext.empty(settings);
  }

  /** One version of a document; {@code id} is from 0 to 255. */
  static BsonDocument document(int id, int version) {
    return BsonDocument.parse(
        "{_id: {$oid: '%s'}, v: %d, at: {$date: 7}}".formatted(hex(id), version));
  }

  /** Its ObjectId. */
  static String hex(int id) {
    return "596e275826f08b2730779e%02x".formatted(id);
  }

  static String text(BsonDocument document) {
    return document.toJson(STRICT);
  }

  SourceRecord insert(BsonDocument document) {
    return change(OperationType.INSERT, Operation.CREATE, document, null, document, null);
  }

  /**
   * An update.
   *
   * @param found what the lookup found; null for nothing
   */
  SourceRecord update(BsonDocument document, @Nullable BsonDocument found) {
    UpdateDescription fields = new UpdateDescription(null, new BsonDocument());
    return change(OperationType.UPDATE, Operation.UPDATE, document, document, found, fields);
  }

  SourceRecord delete(BsonDocument document) {
    return change(OperationType.DELETE, Operation.DELETE, document, document, null, null);
  }

  SourceRecord read(BsonDocument document) {
    Struct value = schema.valueFromDocumentSnapshot(document, Operation.READ);
    offsets.preSnapshotStart(false);
    offsets.readEvent(COLLECTION, Instant.ofEpochMilli(1_700_000_000_000L));
    SourceRecord record = record(Operation.READ, document, value);
    offsets.preSnapshotCompletion();
    return record;
  }

  private SourceRecord change(
      OperationType type,
      Operation operation,
      BsonDocument key,
      @Nullable BsonDocument before,
      @Nullable BsonDocument after,
      @Nullable UpdateDescription fields) {
    BsonDocument token = new BsonDocument("_data", new BsonString("82" + made));
    ChangeStreamDocument<BsonDocument> event =
        new ChangeStreamDocument<>(
            type.getValue(),
            token,
            BsonDocument.parse("{db: 'shop', coll: 'customers'}"),
            null,
            null,
            after,
            before,
            new BsonDocument("_id", key.get("_id")),
            new BsonTimestamp(1_700_000_000, ++made),
            fields,
            null,
            null,
            new BsonDateTime(1_700_000_000_123L + made),
            null,
            null);
    offsets.changeStreamEvent(event);
    return record(operation, key, schema.valueFromDocumentChangeStream(event, operation));
  }

  private SourceRecord record(Operation operation, BsonDocument key, Struct value) {
    value.put("source", offsets.getSourceInfo());
    value.put("op", operation.code());
    value.put("ts_ms", 1_700_000_000_999L);
    return new SourceRecord(
        null,
        null,
        TOPIC,
        0,
        schema.keySchema(),
        schema.keyFromDocument(key),
        value.schema(),
        value);
  }
}
