package io.tidemark.processes;

/** What goes wrong in a {@link FaultyRun}. */
enum FaultKind {
  /** SIGKILL of a task manager. */
  KILL_TASK_MANAGER,
  /** SIGKILL of the job manager; the job is submitted anew, from the table's record. */
  KILL_JOB_MANAGER,
  /** The same, and the job goes on from its newest retained checkpoint. */
  KILL_JOB_MANAGER_AND_RESTORE,
  KILL_BROKER,
  KILL_CATALOG,
  /** SIGSTOP of a task manager until it is given up, then SIGCONT. */
  PAUSE_TASK_MANAGER,
  /** SIGSTOP of the job manager until its task managers give it up, then SIGCONT. */
  PAUSE_JOB_MANAGER,
  /** All of a cluster is stopped, a replacement takes over, and the old one wakes up. */
  ZOMBIE,
  /** Two jobs are started from one savepoint. */
  TWO_JOBS,
  /** A commit's request arrives after its sender was killed and the job has gone on. */
  LATE_COMMIT,
  CATALOG_REFUSED_503,
  CATALOG_COMMITTED_503,
  CATALOG_ANSWER_LOST,
  CATALOG_REQUEST_LOST,
  /** Requests are accepted and get no answer, until the job has given one up and tried again. */
  CATALOG_HANGS,
  BROKER_RESET,
  BROKER_BLACK_HOLE,
  BROKER_SLOW,
  /** Nothing passes between the job manager and its task managers, until it gives them up. */
  JOB_MANAGER_CUT_OFF,
  /** Writes of the task managers fail in the middle of a file. */
  DISK_FULL
}
