package io.tidemark.sandbox;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A value that PostgreSQL stores apart from its row, of every type of which there are such values:
 * of PostgreSQL's own, of three extensions, of an enum and a domain.
 */
final class LargeValues {

  static final String CREATE =
      "CREATE EXTENSION hstore; CREATE EXTENSION citext; CREATE EXTENSION ltree;"
          + " CREATE TYPE mood AS ENUM ('a', 'b'); CREATE DOMAIN longtext AS text";

  /** All that have a variable length, but for rows of catalogs and what only the server makes. */
  private static final String TYPES =
      "SELECT format_type(t.oid, NULL),"
          + " CASE t.typcategory WHEN 'A' THEN format_type(t.typelem, NULL) END"
          + " FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace"
          + " LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A'"
          + " WHERE n.nspname IN ('pg_catalog', 'public') AND t.typlen = -1 AND t.typstorage <> 'p'"
          + " AND t.typtype NOT IN ('p', 'c') AND t.typcategory <> 'Z'"
          + " AND e.typtype IS DISTINCT FROM 'c'";

  /** Never larger than the pointer that would stand for them. */
  static final Set<String> SMALL =
      Set.of("inet", "cidr", "int4range", "int8range", "daterange", "tsrange", "tstzrange");

  /** No column has them, or nobody writes them. */
  static final Set<String> INTERNAL =
      Set.of("aclitem[]", "cstring[]", "ghstore[]", "gtsvector[]", "ltree_gist[]");

  /** Debezium 3.6.1 leaves the column out of all its messages. */
  static final Set<String> LEFT_OUT =
      Set.of(
          """
          bit varying[], box[], cid[], circle[], datemultirange, datemultirange[],
          int4multirange, int4multirange[], int8multirange, int8multirange[], interval[],
          jsonpath, jsonpath[], line[], longtext[], lquery, lquery[], lseg[], ltxtquery,
          ltxtquery[], money[], name[], nummultirange, nummultirange[], path, path[],
          pg_lsn[], pg_snapshot, pg_snapshot[], point[], polygon, polygon[], refcursor,
          refcursor[], regclass[], regcollation[], regconfig[], regdictionary[],
          regnamespace[], regoper[], regoperator[], regproc[], regprocedure[], regrole[],
          regtype[], tid[], tsmultirange, tsmultirange[], tsquery[], tstzmultirange,
          tstzmultirange[], txid_snapshot, txid_snapshot[], xid8[], xid[], xml[]
          """
              .strip()
              .split(",\\s+"));

  private static final String ROWS = " FROM generate_series(1, 400) g)";
  private static final String TEXT = "(SELECT string_agg(md5(g::text), '')" + ROWS;
  private static final String DAYS = "[2024-01-01,2024-01-02)";

  /** Elements of arrays. */
  private static final String ONE =
      """
      text, character varying, character, name, "char", citext, refcursor, xml, longtext = x
      bigint, integer, smallint, numeric, real, double precision, money, oid, xid, xid8, cid = 1
      bit, bit varying, json, jsonb, int2vector, oidvector, regoper, regoperator, regprocedure = 1
      boolean = true
      mood, ltree, lquery, ltxtquery, tsvector, tsquery = a
      hstore = a=>1
      jsonpath = $.a
      bytea = \\x01
      uuid = 00000000-0000-4000-8000-000000000001
      inet = 10.0.0.1
      cidr = 10.0.0.0/8
      macaddr = 08:00:2b:01:02:03
      macaddr8 = 08:00:2b:01:02:03:04:05
      date, timestamp without time zone, timestamp with time zone = 2024-01-01
      time without time zone, time with time zone = 01:02:03
      interval = 1 day
      box, lseg, path, polygon = ((1,2),(0,0))
      circle = <(1,2),3>
      line = {1,2,3}
      point = (1,2)
      pg_lsn = 0/1
      pg_snapshot, txid_snapshot = 1:2:
      tid = (0,1)
      regclass = pg_type
      regtype = int4
      regproc = version
      regrole = postgres
      regnamespace = public
      regcollation = "C"
      regconfig, regdictionary = simple
      """;

  private static final Map<String, String> WHOLE = new TreeMap<>();
  private static final Map<String, String> ELEMENTS = new TreeMap<>();

  /**
   * A column.
   *
   * @param type as PostgreSQL writes it
   * @param value an expression
   */
  record Column(String name, String type, String value) {

    String definition() {
      boolean fixed = type.equals("bit") || type.equals("character");
      return name + " " + type + (fixed ? "(12800)" : "");
    }
  }

  private LargeValues() {}

  /** The columns, and the types of which there is none. */
  static List<Column> columns(Statement sql, Set<String> without) throws SQLException {
    List<Column> columns = new ArrayList<>();
    try (ResultSet types = sql.executeQuery(TYPES + " ORDER BY 1")) {
      while (types.next()) {
        String type = types.getString(1);
        String literal = ELEMENTS.get(String.valueOf(types.getString(2)));
        String value =
            literal == null
                ? WHOLE.get(type)
                : "array_fill('%s'::%s, ARRAY[2500])".formatted(literal, types.getString(2));
        if (value == null) {
          without.add(type);
        } else {
          columns.add(new Column("c" + columns.size(), type, value));
        }
      }
    }
    return columns;
  }

  /** How PostgreSQL writes types. */
  static Set<String> written(Statement sql, Set<String> types) throws SQLException {
    Set<String> written = new TreeSet<>();
    for (String type : types) {
      String name = type.replace("(n)", "").replace("enum", "mood");
      try (ResultSet found =
          sql.executeQuery("SELECT format_type('" + name + "'::regtype, NULL)")) {
        found.next();
        written.add(found.getString(1));
      }
    }
    return written;
  }

  static {
    for (String type :
        List.of("text", "character varying", "character", "longtext", "citext", "refcursor")) {
      WHOLE.put(type, TEXT + "::" + type + (type.equals("character") ? "(12800)" : ""));
    }
    WHOLE.put("bytea", "decode(" + TEXT + ", 'hex')");
    WHOLE.put("json", "to_json(" + TEXT + ")");
    WHOLE.put("jsonb", "to_jsonb(" + TEXT + ")");
    WHOLE.put("jsonpath", "('$.\"' || " + TEXT + " || '\"')::jsonpath");
    WHOLE.put("xml", "('<a>' || " + TEXT + " || '</a>')::xml");
    WHOLE.put("hstore", "hstore('a', " + TEXT + ")");
    WHOLE.put("ltree", "(SELECT string_agg(md5(g::text), '.')::ltree" + ROWS);
    WHOLE.put("lquery", "(SELECT string_agg(md5(g::text), '.')::lquery" + ROWS);
    WHOLE.put("ltxtquery", "(SELECT string_agg(md5(g::text), '&')::ltxtquery" + ROWS);
    WHOLE.put("tsvector", "(SELECT to_tsvector(string_agg(md5(g::text), ' '))" + ROWS);
    WHOLE.put("numeric", "repeat('123456789', 2000)::numeric");
    WHOLE.put("numrange", "numrange(0, repeat('123456789', 2000)::numeric)");
    WHOLE.put("bit", "repeat('10', 6400)::bit(12800)");
    WHOLE.put("bit varying", "repeat('10', 10000)::bit varying");
    for (String type : List.of("path", "polygon")) {
      WHOLE.put(type, "(SELECT string_agg('(' || g || ',1)', ',')::" + type + ROWS);
    }
    for (String type : List.of("pg_snapshot", "txid_snapshot")) {
      WHOLE.put(type, "(SELECT ('1:3000:' || string_agg(g::text, ','))::" + type + ROWS);
    }
    String numbers = "2 * g, 2 * g + 1";
    for (String range : List.of("int4", "int8", "num")) {
      ranges(range, numbers, "[1,2)");
    }
    String day = "'2024-01-01'::%s + 2 * g * interval '1 d'";
    ranges("date", numbers.replaceAll("2 \\* g", "'2024-01-01'::date + 2 * g"), DAYS);
    ranges("ts", (day + ", " + day + " + interval '1 d'").replace("%s", "timestamp"), DAYS);
    ranges("tstz", (day + ", " + day + " + interval '1 d'").replace("%s", "timestamptz"), DAYS);
    ONE.lines()
        .map(line -> line.split(" = "))
        .forEach(
            line -> {
              for (String type : line[0].split(", ")) {
                ELEMENTS.put(type, line[1]);
              }
            });
  }

  private static void ranges(String type, String bounds, String element) {
    WHOLE.put(type + "multirange", "(SELECT range_agg(" + type + "range(" + bounds + "))" + ROWS);
    ELEMENTS.put(type + "range", element);
    ELEMENTS.put(type + "multirange", "{" + element + "}");
  }
}
