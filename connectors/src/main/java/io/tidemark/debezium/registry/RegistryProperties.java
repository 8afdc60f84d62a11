package io.tidemark.debezium.registry;

import io.tidemark.debezium.registry.RegistrySettings.Api;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads registry settings under the names that the connector's converter has for them, without its
 * {@code key.converter.} or {@code value.converter.}.
 */
public final class RegistryProperties {
  private static final String CONFLUENT_URL = "schema.registry.url";
  private static final String APICURIO_URL = "apicurio.registry.url";
  private static final String USER_SOURCE = "basic.auth.credentials.source";
  private static final String USER = "basic.auth.user.info";
  private static final String TOKEN_SOURCE = "bearer.auth.credentials.source";
  private static final String TOKEN = "bearer.auth.token";
  private static final String APICURIO_USER = "apicurio.registry.auth.username";
  private static final String APICURIO_PASSWORD = "apicurio.registry.auth.password";
  private static final String OLD_USER = "apicurio.auth.username";
  private static final String OLD_PASSWORD = "apicurio.auth.password";
  private static final String AS_CONFLUENT = "apicurio.registry.as-confluent";
  private static final String ID_HANDLER = "apicurio.registry.id-handler";
  private static final String USE_ID = "apicurio.registry.use-id";
  private static final String HEADERS = "apicurio.registry.headers.enabled";

  /** Every name that is read. */
  public static final List<String> NAMES =
      List.of(
          CONFLUENT_URL,
          APICURIO_URL,
          USER_SOURCE,
          USER,
          TOKEN_SOURCE,
          TOKEN,
          APICURIO_USER,
          APICURIO_PASSWORD,
          OLD_USER,
          OLD_PASSWORD,
          AS_CONFLUENT,
          ID_HANDLER,
          USE_ID,
          HEADERS);

  private static final Pattern APICURIO_ROOT = Pattern.compile("/apis/registry/v([23])$");

  private final Map<String, String> properties;
  private final BiConsumer<String, String> problems;
  private @Nullable String userInUrl;
  private boolean sound = true;

  private RegistryProperties(Map<String, String> properties, BiConsumer<String, String> problems) {
    this.properties = properties;
    this.problems = problems;
  }

  /**
   * Reads them.
   *
   * @param problems takes the name of each entry that is wrong or missing, and what is wrong; no
   *     secrets
   * @return null if there was a problem
   */
  public static @Nullable RegistrySettings read(
      Map<String, String> properties, BiConsumer<String, String> problems) {
    return new RegistryProperties(properties, problems).read();
  }

  private @Nullable RegistrySettings read() {
    for (String name : properties.keySet()) {
      if (!NAMES.contains(name)) {
        refuse(name, "is not known here, expected one of " + String.join(", ", NAMES));
      }
    }
    boolean apicurio = properties.containsKey(APICURIO_URL);
    if (apicurio == properties.containsKey(CONFLUENT_URL)) {
      refuse(
          CONFLUENT_URL,
          "expected either "
              + CONFLUENT_URL
              + " or "
              + APICURIO_URL
              + ", found "
              + (apicurio ? "both" : "neither"));
      return null;
    }
    List<URI> urls = urls(apicurio ? APICURIO_URL : CONFLUENT_URL);
    Api api = apicurio ? apicurio(urls) : Api.CONFLUENT;
    SchemaIds ids = api == Api.CONFLUENT ? confluentIds() : apicurioIds(api);
    String authorization = authorization();
    return sound ? new RegistrySettings(api, urls, ids, authorization) : null;
  }

  private List<URI> urls(String name) {
    List<URI> urls = new ArrayList<>();
    for (String text : properties.getOrDefault(name, "").split(",", -1)) {
      URI url = url(text.strip());
      if (url == null) {
        refuse(name, "expected http:// or https:// URLs, separated by commas, found another text");
        return List.of(URI.create("http://localhost"));
      }
      urls.add(url);
    }
    return urls;
  }

  private @Nullable URI url(String text) {
    try {
      URI url = URI.create(text);
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (!web || url.getHost() == null || url.getQuery() != null || url.getFragment() != null) {
        return null;
      }
      if (url.getUserInfo() != null) {
        userInUrl = url.getUserInfo();
      }
      String port = url.getPort() < 0 ? "" : ":" + url.getPort();
      String path = url.getRawPath() == null ? "" : url.getRawPath().replaceAll("/+$", "");
      return URI.create(url.getScheme() + "://" + url.getHost() + port + path);
    } catch (IllegalArgumentException noUrl) {
      return null;
    }
  }

  private Api apicurio(List<URI> urls) {
    String version = "";
    for (URI url : urls) {
      var root = APICURIO_ROOT.matcher(url.getPath());
      if (!root.find() || !(version.isEmpty() || version.equals(root.group(1)))) {
        refuse(
            APICURIO_URL,
            "expected a URL that ends with /apis/registry/v2 or /apis/registry/v3, found another. For"
                + " the API under /apis/ccompat set "
                + CONFLUENT_URL);
        return Api.APICURIO_V3;
      }
      version = root.group(1);
    }
    return version.equals("2") ? Api.APICURIO_V2 : Api.APICURIO_V3;
  }

  private SchemaIds confluentIds() {
    for (String name : List.of(AS_CONFLUENT, ID_HANDLER, USE_ID, HEADERS)) {
      if (properties.containsKey(name)) {
        refuse(name, "belongs to " + APICURIO_URL + ", found " + CONFLUENT_URL);
      }
    }
    return new SchemaIds(Integer.BYTES, SchemaId.Kind.SCHEMA);
  }

  /** The defaults are those of each version's own serializer. */
  private SchemaIds apicurioIds(Api api) {
    boolean old = api == Api.APICURIO_V2;
    int bytes = old ? Long.BYTES : Integer.BYTES;
    String handler = properties.get(ID_HANDLER);
    if (handler != null) {
      String name = handler.substring(handler.lastIndexOf('.') + 1);
      switch (name) {
        case "DefaultIdHandler", "Default8ByteIdHandler", "Legacy8ByteIdHandler" ->
            bytes = Long.BYTES;
        case "Legacy4ByteIdHandler", "Default4ByteIdHandler" -> bytes = Integer.BYTES;
        default ->
            refuse(
                ID_HANDLER,
                "expected a class named Default4ByteIdHandler, Legacy4ByteIdHandler, DefaultIdHandler,"
                    + " Default8ByteIdHandler or Legacy8ByteIdHandler, found another");
      }
    }
    if (flag(AS_CONFLUENT)) {
      bytes = Integer.BYTES;
    }
    flag(HEADERS); // a message shows where its id is
    String useId = properties.getOrDefault(USE_ID, old ? "globalId" : "contentId");
    if (!useId.equals("globalId") && !useId.equals("contentId")) {
      refuse(USE_ID, "expected globalId or contentId, found another text");
    }
    return new SchemaIds(
        bytes, useId.equals("globalId") ? SchemaId.Kind.GLOBAL : SchemaId.Kind.CONTENT);
  }

  private boolean flag(String name) {
    String text = properties.getOrDefault(name, "false");
    if (!text.equals("true") && !text.equals("false")) {
      refuse(name, "expected true or false, found another text");
    }
    return text.equals("true");
  }

  private @Nullable String authorization() {
    source(USER_SOURCE, List.of("USER_INFO", "URL"));
    source(TOKEN_SOURCE, List.of("STATIC_TOKEN"));
    List<String> found = new ArrayList<>();
    String user = properties.get(USER);
    if (user != null) {
      found.add(basic(user));
    }
    if (userInUrl != null) {
      found.add(basic(userInUrl));
    }
    for (List<String> pair :
        List.of(List.of(APICURIO_USER, APICURIO_PASSWORD), List.of(OLD_USER, OLD_PASSWORD))) {
      String name = properties.get(pair.get(0));
      String password = properties.get(pair.get(1));
      if (name != null && password != null) {
        found.add(basic(name + ":" + password));
      } else if (name != null || password != null) {
        refuse(pair.get(name == null ? 0 : 1), "is missing beside the other of the two");
      }
    }
    String token = properties.get(TOKEN);
    if (token != null) {
      found.add("Bearer " + token.strip());
    }
    if (found.size() > 1) {
      refuse(token == null ? USER : TOKEN, "expected one pair of credentials, found two");
    }
    return found.isEmpty() ? null : found.get(0);
  }

  private String basic(String user) {
    if (user.indexOf(':') < 1) {
      refuse(USER, "expected user:password, found a text without a colon between two parts");
    }
    return "Basic " + Base64.getEncoder().encodeToString(user.getBytes(StandardCharsets.UTF_8));
  }

  private void source(String name, List<String> expected) {
    String source = properties.get(name);
    if (source != null && !expected.contains(source)) {
      refuse(name, "expected " + String.join(" or ", expected) + ", found another text");
    }
  }

  private void refuse(String name, String problem) {
    sound = false;
    problems.accept(name, problem);
  }
}
