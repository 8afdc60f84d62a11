import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;

/**
 * Prints the rows of snapshots of an Iceberg table as JSON, one a line, as Spark reads them.
 *
 * <p>Run as a single file, in a process of its own, with Spark's jars alone: java -cp ... SparkRead.java warehouse
 * namespace.table snapshot-id...
 */
final class SparkRead {

  public static void main(String[] args) {
    SparkSession spark =
        SparkSession.builder()
            .master("local[1]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.shuffle.partitions", "1")
            .config("spark.driver.host", "localhost")
            .config("spark.sql.jsonGenerator.ignoreNullFields", "false")
            .config("spark.sql.catalog.lake", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.lake.type", "hadoop")
            .config("spark.sql.catalog.lake.warehouse", args[0])
            .getOrCreate();
    // By default a timestamp would lose its microseconds here.
    String json =
        "to_json(struct(*), map('ignoreNullFields', 'false', 'timestampFormat',"
            + " \"yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX\"))";
    for (int i = 2; i < args.length; i++) {
      List<String> rows =
          spark
              .read()
              .option("snapshot-id", args[i])
              .table("lake." + args[1])
              .selectExpr(json)
              .as(Encoders.STRING())
              .collectAsList();
      for (String row : rows) {
        System.out.println("ROW " + args[i] + " " + row);
      }
    }
    spark.stop();
  }
}
