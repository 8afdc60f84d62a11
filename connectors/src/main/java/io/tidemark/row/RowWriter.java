package io.tidemark.row;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Where a decoder pushes the values of one row after the other. The engine implements it over its
 * own row format, so that no copy lies between.
 *
 * <p>{@code column} is a position in the {@link RowShape} that the writer was made for. A setter
 * must fit the column's {@link ColumnType}; the writer does not convert. Columns that are not set
 * stay null. Columns may be set in any order, each at most once per row. Not thread-safe.
 */
public interface RowWriter {

  /** Starts a new row, all columns null. */
  void start();

  /** Sets a {@link ColumnType.Simple#BOOLEAN}. */
  void setBoolean(int column, boolean value);

  /** Sets an {@link ColumnType.Simple#INT} or {@link ColumnType.Simple#DATE}. */
  void setInt(int column, int value);

  /**
   * Sets a {@link ColumnType.Simple#LONG}, {@link ColumnType.Simple#TIME}, {@link
   * ColumnType.Simple#TIMESTAMP} or {@link ColumnType.Simple#TIMESTAMPTZ}.
   */
  void setLong(int column, long value);

  /** Sets a {@link ColumnType.Simple#FLOAT}. */
  void setFloat(int column, float value);

  /** Sets a {@link ColumnType.Simple#DOUBLE}. */
  void setDouble(int column, double value);

  /** Sets a {@link ColumnType.Decimal} of exactly the column's scale. */
  void setDecimal(int column, BigDecimal value);

  /** Sets a {@link ColumnType.Simple#STRING}. */
  void setString(int column, String value);

  /** Sets a {@link ColumnType.Simple#BINARY}. */
  void setBinary(int column, byte[] value);

  /** Sets a {@link ColumnType.Simple#UUID}. */
  void setUuid(int column, UUID value);

  /**
   * Sets a {@link ColumnType.ListOf}; elements are the Java values that {@link ColumnType} names.
   */
  void setList(int column, List<?> value);

  /** Sets a {@link ColumnType.MapOf}. */
  void setMap(int column, Map<String, ?> value);

  /** Sets a {@link ColumnType.Struct}: one value per field, in order, which may be null. */
  void setStruct(int column, List<?> value);

  /** The encoded row: equal rows have equal bytes, in every process. The caller owns it. */
  byte[] finish();
}
