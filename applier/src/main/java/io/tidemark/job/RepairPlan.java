package io.tidemark.job;

import io.tidemark.commit.CommitRecord;
import io.tidemark.flink.Decoder;
import io.tidemark.iceberg.IcebergBatchWriterFactory;
import io.tidemark.iceberg.TableVersion;

/**
 * What a repair works with.
 *
 * @param record the table's newest
 */
record RepairPlan(
    Decoder.Factory decoders,
    IcebergBatchWriterFactory writers,
    TableVersion version,
    CommitRecord record) {}
