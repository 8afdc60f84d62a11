package io.tidemark.replay;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.checkpoint.Checkpoints;
import org.apache.flink.runtime.checkpoint.OperatorState;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupsStateHandle;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.KeyedStateHandle;
import org.apache.flink.runtime.state.OperatorStateHandle;

/** By which names a savepoint in Flink's canonical format has its state. */
final class SavepointNames {
  private SavepointNames() {}

  /** By uid of the operator the names of its states; without operators that keep none. */
  static Map<String, Set<String>> of(String savepoint) throws IOException {
    Map<String, Set<String>> names = new TreeMap<>();
    ClassLoader loader = SavepointNames.class.getClassLoader();
    Path metadata = Path.of(URI.create(savepoint)).resolve("_metadata");
    try (DataInputStream in = new DataInputStream(Files.newInputStream(metadata))) {
      for (OperatorState operator :
          Checkpoints.loadCheckpointMetadata(in, loader, savepoint).getOperatorStates()) {
        Set<String> states = new TreeSet<>();
        for (OperatorSubtaskState subtask : operator.getStates()) {
          for (OperatorStateHandle handle : subtask.getManagedOperatorState()) {
            states.addAll(handle.getStateNameToPartitionOffsets().keySet());
          }
          for (KeyedStateHandle handle : subtask.getManagedKeyedState()) {
            states.addAll(keyed((KeyGroupsStateHandle) handle, loader));
          }
        }
        if (!states.isEmpty()) {
          names.put(operator.getOperatorUid().orElse(operator.getOperatorID().toString()), states);
        }
      }
    }
    return names;
  }

  private static Set<String> keyed(KeyGroupsStateHandle handle, ClassLoader loader)
      throws IOException {
    KeyedBackendSerializationProxy<?> head = new KeyedBackendSerializationProxy<>(loader);
    try (FSDataInputStream in = handle.openInputStream()) {
      head.read(new DataInputViewStreamWrapper(in));
    }
    Set<String> names = new TreeSet<>();
    head.getStateMetaInfoSnapshots().forEach(state -> names.add(state.getName()));
    return names;
  }
}
