package io.tidemark.job;

import io.tidemark.config.TableRoute;

/**
 * What putting letters back works with.
 *
 * @param route the table's
 * @param topic its topic, as Kafka has it now
 */
record RedrivePlan(TableRoute route, KafkaTopics.Topic topic, RepairPlan table) {}
