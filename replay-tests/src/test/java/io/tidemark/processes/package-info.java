/**
 * The job as the jar that users have, on processes that can be killed: broker, catalog server, job
 * managers and task managers in JVMs of their own, with proxies between them.
 */
@NullMarked
package io.tidemark.processes;

import org.jspecify.annotations.NullMarked;
