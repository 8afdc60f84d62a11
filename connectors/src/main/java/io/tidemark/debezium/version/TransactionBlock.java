package io.tidemark.debezium.version;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonParser.NumberType;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.debezium.json.JsonInput;
import io.tidemark.debezium.json.Problem;
import java.io.IOException;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What matters of an event's {@code transaction} block, which connectors write with {@code
 * provide.transaction.metadata=true}. Reused from event to event; not thread-safe.
 */
public final class TransactionBlock {
  private static final String TOTAL_ORDER = "total_order";
  private static final String EPOCH = "transaction_epoch";
  private static final String RANK = "transaction_rank";

  private OptionalLong totalOrder = OptionalLong.empty();
  private OptionalLong epoch = OptionalLong.empty();
  private @Nullable String rank;

  /** Forgets the last event's. */
  public void clear() {
    totalOrder = OptionalLong.empty();
    epoch = OptionalLong.empty();
    rank = null;
  }

  /**
   * Reads the object at the parser's current token; other fields are skipped.
   *
   * @throws Problem if a field has a type that it never has, or occurs twice
   */
  public void read(JsonParser in) throws Problem, IOException {
    if (in.currentToken() != JsonToken.START_OBJECT) {
      throw JsonInput.unexpected("an object", in).in("transaction");
    }
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      readField(name, in);
    }
  }

  /**
   * Reads one field, whose value is at the current token.
   *
   * @throws Problem if it has a type that it never has, or was read before
   */
  public void readField(String name, JsonParser in) throws Problem, IOException {
    if (in.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    switch (name) {
      case TOTAL_ORDER -> totalOrder = natural(name, totalOrder, in);
      case EPOCH -> epoch = natural(name, epoch, in);
      case RANK -> rank = rank(in);
      default -> in.skipChildren();
    }
  }

  /** The event's number in its transaction; 0 if it is not said. */
  public long totalOrder() {
    return totalOrder.orElse(0);
  }

  /** How often Vitess's positions have started over; empty if it is not said. */
  OptionalLong epoch() {
    return epoch;
  }

  /** Where Vitess's transaction stands within the epoch, decimal digits; null if it is not said. */
  @Nullable String rank() {
    return rank;
  }

  private static OptionalLong natural(String name, OptionalLong before, JsonParser in)
      throws Problem, IOException {
    if (before.isPresent()
        || in.currentToken() != JsonToken.VALUE_NUMBER_INT
        || in.getNumberType() == NumberType.BIG_INTEGER
        || in.getLongValue() < 0) {
      throw new Problem("transaction." + name + ": expected one integer of at least 0");
    }
    return OptionalLong.of(in.getLongValue());
  }

  private String rank(JsonParser in) throws Problem, IOException {
    boolean number = in.currentToken() == JsonToken.VALUE_NUMBER_INT;
    if (rank != null || (!number && in.currentToken() != JsonToken.VALUE_STRING)) {
      throw new Problem("transaction." + RANK + ": expected one number as text");
    }
    return in.getText();
  }
}
