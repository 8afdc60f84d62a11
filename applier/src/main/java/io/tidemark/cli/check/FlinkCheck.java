package io.tidemark.cli.check;

import io.tidemark.config.Names;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.configuration.BlobServerOptions;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.ClusterOptions;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.HeartbeatManagerOptions;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.MetricOptions;
import org.apache.flink.configuration.NettyShuffleEnvironmentOptions;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.configuration.ResourceManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.configuration.SecurityOptions;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.state.rocksdb.RocksDBConfigurableOptions;
import org.apache.flink.state.rocksdb.RocksDBOptions;

/** Whether Flink's options are such as Flink has. It ignores what it does not know, silently. */
final class FlinkCheck {
  private static final List<Class<?>> HOLDERS =
      List.of(
          BlobServerOptions.class,
          CheckpointingOptions.class,
          ClusterOptions.class,
          CoreOptions.class,
          ExecutionOptions.class,
          HeartbeatManagerOptions.class,
          JobManagerOptions.class,
          MetricOptions.class,
          NettyShuffleEnvironmentOptions.class,
          PipelineOptions.class,
          ResourceManagerOptions.class,
          RestOptions.class,
          RestartStrategyOptions.class,
          RocksDBConfigurableOptions.class,
          RocksDBOptions.class,
          SecurityOptions.class,
          StateBackendOptions.class,
          StateRecoveryOptions.class,
          TaskManagerOptions.class,
          WebOptions.class);

  private FlinkCheck() {}

  /** Warns of options that look like misspelt ones. Others may be those of a plugin. */
  static void run(Map<String, String> options, CheckReport report) {
    Set<String> known = known();
    for (String option : new TreeSet<>(options.keySet())) {
      if (!known.contains(option)) {
        Names.nearest(option, known)
            .ifPresent(
                near ->
                    report.warn(
                        "flink",
                        "flink." + option + " is no option that Flink has, and would be ignored",
                        "did you mean " + near + "?"));
      }
    }
  }

  /** All keys, former ones that Flink still reads among them. */
  private static Set<String> known() {
    Set<String> keys = new TreeSet<>();
    for (Class<?> holder : HOLDERS) {
      for (Field field : holder.getFields()) {
        if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
          try {
            ConfigOption<?> option = (ConfigOption<?>) field.get(null);
            keys.add(option.key());
            for (FallbackKey former : option.fallbackKeys()) {
              keys.add(former.getKey());
            }
          } catch (IllegalAccessException e) {
            throw new AssertionError(e); // getFields() gives public ones only
          }
        }
      }
    }
    return keys;
  }
}
