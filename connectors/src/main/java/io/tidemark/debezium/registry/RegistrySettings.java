package io.tidemark.debezium.registry;

import java.io.Serializable;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A schema registry and how messages name its schemas.
 *
 * @param urls of the API's root, without credentials; one is asked after the other
 * @param ids where messages have their schema's id
 * @param authorization value of the HTTP header of that name; null to send none
 */
public record RegistrySettings(
    Api api, List<URI> urls, SchemaIds ids, @Nullable String authorization)
    implements Serializable {

  /** What a registry understands. */
  public enum Api {
    /** Confluent's, which Apicurio has under {@code /apis/ccompat} and others have too. */
    CONFLUENT,
    /** Apicurio's own of version 2. */
    APICURIO_V2,
    /** Apicurio's own of version 3. */
    APICURIO_V3
  }

  public RegistrySettings {
    urls = List.copyOf(urls);
    if (urls.isEmpty()) {
      throw new IllegalArgumentException("A registry has at least one URL");
    }
  }

  /** A client, with connections of its own. Nothing is asked yet. */
  public SchemaRegistry open() {
    RegistryHttp http = new RegistryHttp(urls, authorization, RegistryHttp.PATIENCE);
    return new RememberedRefusals(
        api == Api.CONFLUENT ? new ConfluentRegistry(http) : new ApicurioRegistry(http, api),
        System::nanoTime);
  }

  /** Without the credentials. */
  @Override
  public String toString() {
    return "RegistrySettings[api=%s, urls=%s, ids=%s, authorization=%s]"
        .formatted(api, urls, ids, authorization == null ? "none" : "******");
  }
}
