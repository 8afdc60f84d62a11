package io.tidemark.processes;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports that processes keep when they are killed and started again. They lie below those that
 * systems give to outgoing connections, or such a connection could have one in between.
 */
final class Ports {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 32_000;

  private Ports() {}

  /** One that is free now. */
  static int free() {
    for (int attempt = 0; attempt < 100; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException e) {
        // Somebody has it: another one.
      }
    }
    throw new IllegalStateException("No free port from " + LOWEST + " to " + HIGHEST);
  }
}
