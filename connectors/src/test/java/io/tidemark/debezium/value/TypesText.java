package io.tidemark.debezium.value;

import io.tidemark.debezium.json.FrameReader;
import io.tidemark.debezium.json.JsonInput;
import java.util.Locale;

/** The words of the page about types. */
final class TypesText {

  static final String HEAD =
      """
      # Types

      What a column of the source becomes in the table, and what the source itself loses on the way. A value arrives exactly or not at all:
      what a column cannot hold goes to the error policy (`on-unrepresentable: fail`, the default), leaves the column null (`null`; never in
      a key), or sends the whole record to the dead-letter topic (`dead-letter`).

      This page is made from the code by `TypesPageTest`.

      ## From Debezium to Iceberg

      With a schema in the message (`schemas.enable=true`) the type comes from it: by logical name first, then by Connect type. Names stand here
      without `io.debezium` and `org.apache.kafka.connect`. The last column is the text that `columns:` takes, and that a table keeps of each column:

      ```yaml
      columns: {created_at: timestamp(micros), price: 'decimal(10, 2)', tags: list<string>}
      ```
      """;

  static final String MONGODB =
      """

      ### MongoDB

      A collection's table has two columns, whatever its documents hold:

      | column | what it is |
      |---|---|
      | `_id: string`, the key | the document's `_id` as Debezium writes it in the message key, in MongoDB's relaxed extended JSON: `1004`, `"abc"` with its quotes, `{"$date": …}`; an ObjectId as its 24 digits alone. Different ids have different texts |
      | `document: string` | the whole document as `after` has it, in the form of the connector's `json.serialization.mode` |
      """;

  static final String NOT_RUN =
      """

      The tables that follow are written after Debezium's documentation and code; nobody has read them from such a database
      ([sources](sources.md)). So are pgvector's and MySQL's vectors, Debezium 3.7's geometry, and what `nanoseconds`, `isostring` and `structured` send above.
      """;

  private static final String AFTER_TYPES =
      """

      An element of a list, map or struct follows the same tables. A decimal as text also goes into `decimal(p, s, text)` and `string(decimal)`,
      which says `NaN` and `Infinity` for `NAN` and `POSITIVE_INFINITY`. Bytes as text stay text: their form is not in the message.

      MySQL's `BOOLEAN` is a `TINYINT(1)`. A snapshot sends it as a number, and the stream of a table that was created under the connector's eyes as a
      boolean. Whichever came first made the column; a boolean goes into an `int` column as 1 or 0, and 0 and 1 go into a `boolean` one. What else
      such a column may hold (`TINYINT(1)` takes 2) the connector sends as `true`.

      ## Without a schema in the message

      The types come from the existing table or from `columns:`. A bare number of a `time` or `timestamp` may count milli-, micro- or nanoseconds: the
      unit must be declared, else the value is refused. A decimal as a string is base64 of the unscaled number in the column's scale, unless it is
      declared `text`; JSON numbers and `{"scale", "value"}` show what they are. Texts of 4, 8, 12 … digits, as `1234`, are base64 too, of a negative
      number, and nothing tells them apart: with `decimal.handling.mode=string` declare `text`. All other digits are refused as no base64.

      Nor does anything tell hexadecimal text (`binary.handling.mode=hex`) of 4, 8, 12 … digits from base64 in a column that is declared `binary`: `deadbeef`
      becomes the bytes `75e69d6de79f`. Declare such a column `string`, or leave the mode at `bytes`. Other lengths are refused as no base64.

      Where the message's schema and the table differ, a column takes what it can hold without loss: `int` into `long`, `float` into `double`, decimals
      of another scale if every digit fits, decimals and text into each other, text, UUIDs and `timestamptz` into `string`. All else is refused.

      A column that was a `boolean` once and is text now can be declared as `string(boolean)`: text, and booleans as `true` and `false`, as PostgreSQL casts
      them. A table whose columns changed takes all its log if `columns:` names every column that there ever was, each in its widest type; what the source then
      still loses is below.

      A column that is declared as `string(decimal)`, or `string(decimal, s)`, holds numbers as plain decimal text, also where a schema
      says no more than that text was sent (`decimal.handling.mode=string`): `1E+2` is `100`, `NAN` is `NaN`. A table's columns are declared
      so if the first message had such numbers. If the source makes text of such a column, declare it as `string`.

      In a key, `string(decimal)` drops trailing zeros, so that equal numbers are equal keys. `float`, `double`, lists, maps and structs cannot be keys.

      ## How large a row may be

      A row takes memory and time that grow with the bytes of its message. What would let a few bytes grow without measure is refused, as
      any message that cannot be decoded (`errors.policy`):

      | what | at most |
      |---|---|
      | one number, written out in full, and the characters of its text | %,d digits: PostgreSQL's longest has 131,072 before the point and 16,383 after |
      | the parts of a row: elements of lists and maps, fields of structs in them whether sent or not, and the digits of numbers that have more than %d | %,d |
      | one text, in characters; bytes as base64 | %,d |
      | objects and lists in each other | %d, in a column's type %d |
      | a message's schema as JSON, in bytes | %,d |
      | the types in a row's schema, one that it names again counted again | %,d |

      The second is met by lists of a million elements, which are messages of two megabytes at least: leave such a column out of the topic.

      ## What no column can hold

      Each of these is refused, null or a dead letter, as `on-unrepresentable` says; a list or struct with one of them in it as a whole.

      """;

  static final String AFTER_VALUES =
      """

      ## What the source loses

      Nothing that comes later can bring these back. `CorpusTest`, and `RecordingsTest` with the lists in `lost/`, hold what the recordings show of them,
      cell by cell, with the value that arrives.

      | at the source | what arrives | remedy |
      |---|---|---|
      | NULL in a column with a default | the default; 1970-01-01 for `default now()` | `value.converter.replace.null.with.default=false` |
      | rows that a TRUNCATE removed, or that were gone when a second snapshot was taken | nothing: the rows stay | build the table anew |
      | rows that `ADD COLUMN … DEFAULT` or `ALTER COLUMN … TYPE … USING` rewrote | nothing until they change next: NULL, or what was before | an incremental snapshot |
      | `RENAME COLUMN`, `DROP COLUMN` | nothing: rows that do not change have the values under the old name and NULL under the new one | an incremental snapshot |
      | a decimal whose scale changed, as base64 in messages without schema | the digits without the point: `2.20` is `0.0220` in a column of scale 4 | `decimal.handling.mode=string`, `decimal.format=numeric`, or schemas |
      | a key that rows exchange in one statement, as in `SET id = id + 1` | a delete of each old key and an insert of each new one, in turn: the last of a key wins, which may be the delete | PostgreSQL: `before: full` stops the job there; see [formats](formats.md#records-that-change-no-row) |
      | a key that `message.key.columns` took from other columns, in a delete or after a change of it | a delete of a key that never was, or no delete: the old row stays | `REPLICA IDENTITY FULL`, or the primary key |
      | PostgreSQL: `numeric` without precision | no trailing zeros: `1.000` is `1` | declare `numeric(p, s)` |
      | PostgreSQL: `numeric` of `NaN` or infinity with `decimal.handling.mode=precise`, a `numeric[]` with one among its elements in every mode, seen with Debezium 3.6.1 | NULL | `decimal.handling.mode=string`, not for arrays; `event.converting.failure.handling.mode=fail` stops the connector |
      | PostgreSQL: an array of arrays, seen with Debezium 3.6.1 | as many elements as the outer one has: NULLs of `int[][]`, of `text[][]` Java's names for the inner arrays (`[Ljava.lang.String;@…`) | |
      | PostgreSQL: a timestamp before 1677 or after 2262 with `time.precision.mode=nanoseconds`, seen with Debezium 3.6.1 | NULL | another mode; `event.converting.failure.handling.mode=fail` stops the connector |
      | PostgreSQL: `timetz` | UTC, the offset is gone; `24:00` is `00:00` | |
      | PostgreSQL: `interval` as a number | a month is 30.4375 days; beyond 64 bits it saturates | `interval.handling.mode=string` |
      | `bit(n)`, `bit varying` | the width and leading zeros are gone | |
      | PostgreSQL: `date` BC in a snapshot | the same date AD; streamed changes are right | |
      | PostgreSQL: `circle`, `box`, `path`, `polygon`, `refcursor`, `jsonpath`, `lquery`, multiranges; arrays of any of these, of a domain, and of `lseg`, `line`, `xml`, `money`, `interval`, `point`, `name`, `bit varying`, `tsquery`, `xid`, `regclass` and the like, seen with Debezium 3.6.1 | the column is missing | |
      | PostgreSQL: `bit[]`, `int2vector[]`, `oidvector[]`, seen with Debezium 3.6.1 | NULL | |
      | PostgreSQL: `time` of 24:00 with `time.precision.mode=isostring` | 00:00, as `00:00:00Z` | another mode, with which it is refused |
      | PostgreSQL: a large value that an update did not touch (TOAST) | the column keeps its value; of the types [below](#updates-that-write-null-over-a-large-value) NULL, which nobody can tell from SQL's | `REPLICA IDENTITY FULL` |
      | PostgreSQL: a large value of a row whose key changes | the job stops, or NULL, as `unknown-values` says: the value lies under the old key | `REPLICA IDENTITY FULL` |
      | PostgreSQL: an update that sets a column to the text of the placeholder; Oracle, SQL Server, Informix, and MySQL, MariaDB, Vitess and Db2 of Debezium 3.7 or where `source.version` is not said: any change that does | the column keeps its value | another `unavailable.value.placeholder`; `unavailable-value: none` with `REPLICA IDENTITY FULL` |
      | `time(3)`, `timestamp(3)` and above with `time.precision.mode=connect` | milliseconds | keep the default `adaptive` |
      | `decimal.handling.mode=double` | the nearest double | `precise` or `string` |
      | MySQL: `bigint unsigned` above 2^63 - 1 | a negative number, in keys too | `bigint.unsigned.handling.mode=precise` |
      | MySQL: zero dates, `0000-00-00` | NULL where the column allows it, in a `timestamp` 1970-01-01 once streamed; else 1970-01-01 | |
      | MySQL: dates with a zero month or day, years 0 to 99 | NULL, or another date | |
      | MySQL: `datetime` before 1582-10-15 | another day in the snapshot than in the stream | |
      | MariaDB: `uuid` | text of other digits once streamed; the snapshot is right | |
      | MariaDB: an `enum` value with a comma | `d,e` in the snapshot, `d\\,e` once streamed | |
      | MySQL: `time` outside 00:00 to 24:00 | the number or text, which no column can hold | |
      """;

  static final String NO_PLACEHOLDER =
      """

      ### Updates that write NULL over a large value

      PostgreSQL stores a large value apart from its row (TOAST), once the row has more than 2 kB, and does not log it with an update of other columns. For most
      types Debezium sends a placeholder then, and the column keeps its value. For these it has none. It warns in its own log and sends NULL; the table gets NULL until
      the column is changed next, and `verify`, which reads the same messages, finds nothing wrong.

      | type | with | `check` warns | `event.converting.failure.handling.mode=fail` stops the connector | seen with PostgreSQL 17 and Debezium 3.6.1 |
      |---|---|---|---|---|
      """;

  static final String AFTER_NO_PLACEHOLDER =
      """

      `REPLICA IDENTITY FULL` on the source table brings each of them whole with every update; that was seen, too. What is lost comes back with an incremental snapshot, or with the next update under
      `FULL`. `fail` brings nothing back: the connector stops at the update, and goes on once the mode is `warn` again, with the NULL.

      `check` goes by the types in the first 100 messages, or by `columns:` where they have no schema. It warns until one of them is an update or delete whose `before` has what only
      `FULL` sends, or the route says `before: full`. It says nothing of a type that looks like another in a message: an `inet[]` like a `text[]`, an `oid[]` like a `bigint[]`, an `hstore[]` as JSON like a
      `jsonb[]`, a `numeric[]` with `decimal.handling.mode=string` like a `text[]`, `bytea` as text like a `text`; without schema also a `smallint[]` like an `int[]`, a `bit varying` like a `bytea`, an `enum[]` like a `text[]`.
      Nor of `numeric`, which stays in its row as long as that fits into a page of 8 kB: it takes numbers of thousands of digits, or `SET STORAGE EXTERNAL`.

      A column of these types that is `NOT NULL`, without a default that Debezium knows, has no NULL to send: the connector stops there, whatever the mode.
      """;

  /** {@link #AFTER_TYPES} with its limits. */
  static String afterTypes() {
    return String.format(
        Locale.ROOT,
        AFTER_TYPES,
        DecimalReader.MAX_DIGITS,
        RowBudget.FREE_DIGITS,
        RowBudget.MAX_PARTS,
        JsonInput.MAX_STRING_CHARS,
        JsonInput.MAX_NESTING,
        ConnectTypes.MAX_DEPTH,
        FrameReader.MAX_SCHEMA,
        ConnectTypes.MAX_TYPES);
  }

  private TypesText() {}
}
