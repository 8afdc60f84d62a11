package io.tidemark.job;

import io.tidemark.commit.CommitRecord;
import io.tidemark.flink.Decoder;
import io.tidemark.iceberg.IcebergBatchWriterFactory;
import io.tidemark.iceberg.IcebergSeed;
import io.tidemark.iceberg.TableVersion;

/**
 * What a commit works with that no job makes.
 *
 * @param seed the marks that the table holds
 * @param record the table's newest
 */
record RepairPlan(
    Decoder.Factory decoders,
    IcebergBatchWriterFactory writers,
    TableVersion version,
    IcebergSeed seed,
    CommitRecord record) {}
