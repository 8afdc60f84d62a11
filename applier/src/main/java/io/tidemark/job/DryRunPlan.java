package io.tidemark.job;

import io.tidemark.commit.Progress;
import io.tidemark.flink.Forgetting;
import io.tidemark.merge.Seed;
import org.jspecify.annotations.Nullable;

/**
 * All that was decided before a dry run starts.
 *
 * @param source what is read, up to a bound
 * @param decoding how it is decoded; letters that are dead go nowhere
 * @param seed null for a table without rows
 * @param start what is known of every partition, as a run would know it
 * @param forgetting from where on unknown keys are new keys
 */
record DryRunPlan(
    String name,
    JobPlan.Source source,
    JobPlan.Decoding decoding,
    @Nullable Seed seed,
    Progress start,
    Forgetting forgetting) {}
