package io.tidemark.verify;

import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/** An answer as text, which fails where it is longer than one may be. */
final class BoundedText implements BodySubscriber<String> {
  private final BodySubscriber<String> text = BodySubscribers.ofString(StandardCharsets.UTF_8);
  private final int maxBytes;
  private @Nullable Subscription subscription;
  private long bytes;

  BoundedText(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public CompletionStage<String> getBody() {
    return text.getBody();
  }

  @Override
  public void onSubscribe(Subscription given) {
    subscription = given;
    text.onSubscribe(given);
  }

  @Override
  public void onNext(List<ByteBuffer> part) {
    for (ByteBuffer buffer : part) {
      bytes += buffer.remaining();
    }
    if (bytes <= maxBytes) {
      text.onNext(part);
      return;
    }
    if (subscription != null) {
      subscription.cancel();
    }
    text.onError(new IOException("an answer of more than " + maxBytes + " bytes"));
  }

  @Override
  public void onError(Throwable failure) {
    text.onError(failure);
  }

  @Override
  public void onComplete() {
    text.onComplete();
  }
}
