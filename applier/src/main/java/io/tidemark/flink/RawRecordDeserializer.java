package io.tidemark.flink;

import io.tidemark.change.SourceOffset;
import io.tidemark.debezium.RawRecord;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Passes Kafka's records on as they are, with their place. */
public final class RawRecordDeserializer implements KafkaRecordDeserializationSchema<RawRecord> {
  private static final long serialVersionUID = 1L;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RawRecord> out) {
    out.collect(rawRecord(record));
  }

  /** A record of a consumer, as decoders take it. */
  public static RawRecord rawRecord(ConsumerRecord<byte[], byte[]> record) {
    Map<String, byte[]> headers = new HashMap<>();
    for (Header header : record.headers()) {
      headers.put(header.key(), header.value());
    }
    return new RawRecord(
        new SourceOffset(record.topic(), record.partition(), record.offset()),
        record.timestamp(),
        record.key(),
        record.value(),
        headers);
  }

  @Override
  public TypeInformation<RawRecord> getProducedType() {
    return Types.RAW_RECORD;
  }
}
