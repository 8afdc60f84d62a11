package io.tidemark.processes;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Hands bytes on between clients and a server in this process's machine, or does not. */
final class TcpProxy implements AutoCloseable {

  /** What becomes of the bytes. */
  enum Mode {
    /** They arrive. */
    PASS,
    /** They arrive late, each piece by some milliseconds. */
    SLOW,
    /** Nothing arrives, and nobody is told. */
    BLACK_HOLE,
    /** Connections are reset, those that are open and those that come. */
    RESET
  }

  private static final int SLOW_MILLIS = 150;

  private final ServerSocket server;
  private final int targetPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final Object changed = new Object();
  private volatile Mode mode = Mode.PASS;
  private volatile boolean closed;

  private TcpProxy(ServerSocket server, int targetPort) {
    this.server = server;
    this.targetPort = targetPort;
  }

  /** On a port of its own. */
  static TcpProxy start(int port, int targetPort) {
    try {
      TcpProxy proxy =
          new TcpProxy(new ServerSocket(port, 100, InetAddress.getLoopbackAddress()), targetPort);
      daemon(proxy::accept, "proxy-" + port);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void mode(Mode next) {
    synchronized (changed) {
      Mode before = mode;
      mode = next;
      changed.notifyAll();
      // What a black hole has swallowed would be missing in the stream: its connections end.
      if (next == Mode.RESET || before == Mode.BLACK_HOLE) {
        open.forEach(TcpProxy::reset);
      }
    }
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = server.accept();
        if (mode == Mode.RESET) {
          reset(client);
          continue;
        }
        connect(client);
      } catch (IOException e) {
        // This proxy is closed.
      }
    }
  }

  private void connect(Socket client) {
    try {
      Socket target = new Socket(InetAddress.getLoopbackAddress(), targetPort);
      open.add(client);
      open.add(target);
      daemon(() -> pump(client, target), "proxy-up");
      daemon(() -> pump(target, client), "proxy-down");
    } catch (IOException e) {
      reset(client); // the server is down
    }
  }

  private void pump(Socket from, Socket to) {
    byte[] buffer = new byte[16 * 1024];
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (mode == Mode.SLOW) {
          Thread.sleep(SLOW_MILLIS);
        }
        awaitNoBlackHole();
        out.write(buffer, 0, read);
        out.flush();
      }
    } catch (IOException e) {
      // A side has gone: the other one is closed too.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(from);
      open.remove(to);
    }
  }

  private void awaitNoBlackHole() throws InterruptedException {
    synchronized (changed) {
      while (mode == Mode.BLACK_HOLE && !closed) {
        changed.wait();
      }
    }
  }

  private static void reset(Socket socket) {
    try (socket) {
      socket.setSoLinger(true, 0); // RST in place of FIN
    } catch (IOException e) {
      // It has gone already.
    }
  }

  private static void daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    closed = true;
    mode(Mode.RESET);
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
