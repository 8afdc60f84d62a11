package io.tidemark.sandbox;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers that must know theirs before they start, or keep it when they are started
 * again. They lie below those that systems give to outgoing connections (32768 and up on Linux,
 * 49152 and up by RFC 6335): such a connection, or another process that asked for any free port,
 * could have one by the time the server opens it.
 */
public final class Ports {
  private static final int LOWEST = 15_000;
  private static final int HIGHEST = 32_000;

  private Ports() {}

  /**
   * One of 15000 to 31999 that is free now.
   *
   * @throws IllegalStateException if none was found
   */
  public static int free() {
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
