import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Prints the rows of an Iceberg table as JSON, one a line, as Spark reads them.
 *
 * <p>Run as a single file, in a process of its own, with Spark's jars alone: java -cp ... SparkRead.java warehouse
 * namespace.table [snapshot id]
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
    for (int i = 2; i < args.length; i++) {
      List<String> rows =
          spark.read().option("snapshot-id", args[i]).table("lake." + args[1]).toJSON().collectAsList();
      for (String row : rows) {
        System.out.println("ROW " + args[i] + " " + row);
      }
    }
    for (Row row : spark.table("lake." + args[1]).groupBy("region").count().collectAsList()) {
      System.out.println("COUNT " + row.get(0) + " " + row.get(1));
    }
    spark.stop();
  }
}
