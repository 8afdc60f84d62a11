package io.tidemark.debezium.registry;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The bytes of an answer, which fails where there are more of them than a schema has. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private static final int MEBIBYTE = 1024 * 1024;

  private final BodySubscriber<byte[]> bytes = BodySubscribers.ofByteArray();
  private final int mebibytes;
  private Flow.@Nullable Subscription subscription;
  private long left;

  /** An answer of more bytes. */
  static final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    TooLarge(int mebibytes) {
      super("more than " + mebibytes + " MiB");
    }
  }

  BoundedBody(int mebibytes) {
    this.mebibytes = mebibytes;
    this.left = (long) mebibytes * MEBIBYTE;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return bytes.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription given) {
    subscription = given;
    bytes.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    left -= part.stream().mapToLong(ByteBuffer::remaining).sum();
    if (left >= 0) {
      bytes.onNext(part);
    } else if (subscription != null) {
      subscription.cancel();
      bytes.onError(new TooLarge(mebibytes)); // drops what it has; parts on their way come here too
    }
  }

  @Override
  public void onError(Throwable failure) {
    bytes.onError(failure);
  }

  @Override
  public void onComplete() {
    bytes.onComplete();
  }
}
