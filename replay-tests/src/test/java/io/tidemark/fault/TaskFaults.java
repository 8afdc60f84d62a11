package io.tidemark.fault;

import io.tidemark.commit.Batch;
import io.tidemark.commit.CommitRecord;
import io.tidemark.commit.TableLedger;
import io.tidemark.commit.UnavailableException;
import io.tidemark.flink.CommitOperator;
import io.tidemark.flink.Decoder;
import io.tidemark.merge.BatchWriter;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that fail now and then: a decoder at a record, a writer before or after its files are
 * closed, the committer before or after the table has the commit. A committer may also take longer
 * than a checkpoint may, so that the next ones expire, some half-way, and their notifications come
 * late. What is to happen is seeded; which thread meets it is up to the machine.
 */
public final class TaskFaults implements Parts {

  /** Flink copies what it is given; its tasks find their faults by name. */
  private static final Map<String, Dice> DICE = new ConcurrentHashMap<>();

  private final String name;
  private final Dice dice;

  /**
   * Faults of the jobs of one test.
   *
   * @param name of the test, another one for each run
   * @param most how many tasks are to fail in all
   * @param slowMillis how long a slow commit takes; 0 for none
   */
  public TaskFaults(String name, long seed, int most, long slowMillis) {
    this.name = name;
    this.dice = new Dice(new Random(seed), most, slowMillis);
    DICE.put(name, dice);
  }

  /** By kind how often something went wrong. */
  public Map<String, Integer> happened() {
    synchronized (dice) {
      return new TreeMap<>(dice.happened);
    }
  }

  /** How many tasks have failed. */
  public int failed() {
    synchronized (dice) {
      return dice.failed;
    }
  }

  /** Nothing fails any more. */
  public void stop() {
    synchronized (dice) {
      dice.most = 0;
      dice.slowMillis = 0;
    }
  }

  @Override
  public Decoder.Factory decoders(Decoder.Factory real) {
    String test = name;
    return () -> {
      Decoder decoder = real.open();
      return record -> {
        dice(test).maybe("decoder", 400);
        return decoder.decode(record);
      };
    };
  }

  @Override
  public BatchWriter.Factory writers(BatchWriter.Factory real) {
    String test = name;
    return new ChangedWriters(
        real,
        (writer, batch) -> {
          dice(test).maybe("writer before its files", 8);
          var files = writer.write(batch);
          dice(test).maybe("writer after its files", 8);
          return files;
        });
  }

  @Override
  public CommitOperator.LedgerFactory ledgers(CommitOperator.LedgerFactory real) {
    String test = name;
    return () -> new FaultyLedger(real.open(), test);
  }

  private static final class FaultyLedger extends ForwardingLedger {
    private final String test;

    private FaultyLedger(TableLedger real, String test) {
      super(real);
      this.test = test;
    }

    @Override
    public @Nullable CommitRecord commit(List<Batch> batches, CommitRecord record) {
      dice(test).maybe("committer before the commit", 6);
      dice(test).maybeSlow();
      CommitRecord landed = real.commit(batches, record);
      dice(test).maybe("committer after the commit", 6);
      return landed;
    }
  }

  private static Dice dice(String name) {
    return DICE.get(name);
  }

  private static final class Dice {
    private final Random random;
    private final Map<String, Integer> happened = new TreeMap<>();
    private int most;
    private long slowMillis;
    private int failed;

    private Dice(Random random, int most, long slowMillis) {
      this.random = random;
      this.most = most;
      this.slowMillis = slowMillis;
    }

    private synchronized void maybe(String where, int oneIn) {
      if (failed < most && random.nextInt(oneIn) == 0) {
        failed++;
        happened.merge(where, 1, Integer::sum);
        throw new UnavailableException("planted fault no. " + failed + " in the " + where, null);
      }
    }

    private void maybeSlow() {
      long millis;
      synchronized (this) {
        if (slowMillis == 0 || random.nextInt(4) != 0) {
          return;
        }
        happened.merge("slow commit", 1, Integer::sum);
        millis = slowMillis;
      }
      try {
        Thread.sleep(millis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("interrupted in a slow commit", e);
      }
    }
  }
}
