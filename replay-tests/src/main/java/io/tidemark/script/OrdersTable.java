package io.tidemark.script;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** The table {@code shop.orders}: a column of each of the types that are common in PostgreSQL. */
public final class OrdersTable {

  /** Name with schema. */
  public static final String NAME = "shop.orders";

  /** Name of the primary key. */
  public static final String KEY = "id";

  /** All columns, in order. */
  public static final List<String> COLUMNS =
      List.of(
          KEY,
          "customer",
          "amount",
          "qty",
          "status",
          "note",
          "placed_on",
          "updated_at",
          "delivered_at",
          "reference",
          "receipt",
          "paid",
          "weight",
          "tags",
          "pickup",
          "details");

  private static final String DDL =
      """
      CREATE TABLE shop.orders (
        id           bigint PRIMARY KEY,
        customer     text NOT NULL,
        amount       numeric(12,2),
        qty          int DEFAULT 1,
        status       varchar(20) NOT NULL DEFAULT 'new',
        note         text,
        placed_on    date,
        updated_at   timestamptz DEFAULT now(),
        delivered_at timestamp,
        reference    uuid,
        receipt      bytea,
        paid         boolean,
        weight       double precision,
        tags         text[],
        pickup       time(6),
        details      jsonb
      )""";

  private OrdersTable() {}

  /** Creates the schema and the table. */
  public static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE SCHEMA shop");
      statement.execute(DDL);
    }
  }
}
