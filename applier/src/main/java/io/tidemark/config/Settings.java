package io.tidemark.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that a job is told.
 *
 * @param name of the job
 * @param routes in order: the first that matches a topic is its own
 * @param flink Flink's own options, as they were given
 */
public record Settings(
    String name,
    KafkaSettings kafka,
    CatalogSettings catalog,
    List<RouteSettings> routes,
    ErrorSettings errors,
    GateSettings gate,
    RecordSettings record,
    TombstoneSettings tombstones,
    Map<String, String> flink) {

  static final List<String> SECTIONS =
      List.of("kafka", "catalog", "routes", "errors", "gate", "record", "tombstones");

  /** The name of every job whose file gives it none. */
  public static final String UNNAMED = "tidemark";

  static final Key<String> NAME =
      Key.optional(
          "name",
          Syntax.TEXT,
          UNNAMED,
          "Name of the job in Flink, of the consumer group to which it commits its offsets for"
              + " monitoring, and with what Kafka's client ids begin. Give each job its own: two"
              + " without one share the group.");

  /** Keys that stand on their own; sections have theirs. */
  static final List<Key<?>> KEYS = List.of(NAME, FlinkOptions.FLINK);

  public Settings {
    routes = List.copyOf(routes);
    flink = Map.copyOf(flink);
  }

  /**
   * Reads a file, with the variables of the process's environment.
   *
   * @throws ConfigException with all problems
   */
  public static Settings read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (NoSuchFileException e) {
      throw ConfigException.of("", "there is no file " + file);
    } catch (CharacterCodingException e) {
      throw ConfigException.of("", file + " is not UTF-8 text");
    } catch (IOException e) {
      String reason = Files.isDirectory(file) ? "it is a directory" : e.toString();
      throw ConfigException.of("", file + " cannot be read: " + reason);
    }
    return parse(text, System.getenv());
  }

  /**
   * Reads a text.
   *
   * @param env what {@code ${NAME}} stands for
   * @throws ConfigException with all problems
   */
  public static Settings parse(String yaml, Map<String, String> env) {
    Problems problems = new Problems();
    Tree.Mapping tree = Yaml.read(yaml, new Variables(env), problems);
    if (tree.entries().isEmpty()) {
      // Nothing that could be read is no reason to list every key as missing.
      problems.throwIfAny();
    }
    Section root = new Section("", tree, problems);
    List<String> known = new ArrayList<>(names(KEYS));
    known.addAll(SECTIONS);
    root.refuseOthers(known);
    KafkaSettings kafka = KafkaSettings.read(section(root, "kafka", KafkaSettings.KEYS));
    List<RouteSettings> routes = new ArrayList<>();
    for (Section route : root.sections("routes")) {
      route.refuseOthers(names(RouteSettings.KEYS));
      routes.add(RouteSettings.read(route));
    }
    Settings settings =
        new Settings(
            root.get(NAME),
            kafka,
            CatalogSettings.read(section(root, "catalog", CatalogSettings.KEYS)),
            routes,
            ErrorSettings.read(section(root, "errors", ErrorSettings.KEYS), kafka.topics(), routes),
            GateSettings.read(section(root, "gate", GateSettings.KEYS)),
            RecordSettings.read(section(root, "record", RecordSettings.KEYS)),
            TombstoneSettings.read(section(root, "tombstones", TombstoneSettings.KEYS)),
            FlinkOptions.read(root));
    problems.throwIfAny();
    return settings;
  }

  /**
   * The way of a topic into its table.
   *
   * @throws ConfigException if the topic's name does not give a table
   */
  public TableRoute route(String topic) {
    for (int i = 0; i < routes.size(); i++) {
      if (routes.get(i).matches(topic)) {
        return route("routes[" + i + "].table", topic, routes.get(i));
      }
    }
    return route("routes", topic, RouteSettings.DEFAULT);
  }

  /**
   * The way of each topic into its own table.
   *
   * @throws ConfigException if a topic's name does not give a table, or two give the same
   */
  public List<TableRoute> routes(Collection<String> topics) {
    List<Problem> problems = new ArrayList<>();
    Map<String, TableRoute> byTable = new LinkedHashMap<>();
    for (String topic : topics.stream().sorted().toList()) {
      try {
        TableRoute route = route(topic);
        TableRoute first = byTable.putIfAbsent(route.table(), route);
        if (first != null) {
          problems.add(
              new Problem(
                  "routes",
                  0,
                  "topics "
                      + first.topic()
                      + " and "
                      + topic
                      + " both go into table "
                      + route.table()
                      + ", expected one topic for a table: versions of two topics do not compare"));
        }
      } catch (ConfigException e) {
        problems.addAll(e.problems());
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return List.copyOf(byTable.values());
  }

  private static TableRoute route(String key, String topic, RouteSettings rules) {
    try {
      return new TableRoute(topic, rules.tableFor(topic), rules);
    } catch (IllegalArgumentException e) {
      throw ConfigException.of(
          key,
          "topic " + topic + " gives no table, expected namespace.table: add a route with a table");
    }
  }

  private static Section section(Section root, String name, List<Key<?>> keys) {
    Section section = root.section(name);
    section.refuseOthers(names(keys));
    return section;
  }

  private static List<String> names(List<Key<?>> keys) {
    return keys.stream().<String>map(Key::name).toList();
  }

  /** What to say of an unknown name in a section. */
  static String suggestion(String section, String name, List<String> known) {
    Optional<String> sibling = Names.nearest(name, known);
    if (sibling.isPresent()) {
      return "did you mean " + sibling.get() + "?";
    }
    String place = section.replaceAll("\\[\\d+]", "");
    List<String> all = ConfigPage.allKeys().stream().<String>map(Key::path).toList();
    return all.stream()
        .filter(path -> path.endsWith("." + name))
        .findFirst()
        .or(() -> place.isEmpty() ? Names.nearest(name, all) : Optional.empty())
        .map(path -> "did you mean " + path + "?")
        .orElse("expected one of " + String.join(", ", known));
  }

  /** Secrets are masked. */
  @Override
  public String toString() {
    return "Settings[name=%s, kafka=%s, catalog=%s, routes=%s, errors=%s, gate=%s, record=%s, tombstones=%s, flink=%s]"
        .formatted(
            name, kafka, catalog, routes, errors, gate, record, tombstones, Secrets.masked(flink));
  }
}
