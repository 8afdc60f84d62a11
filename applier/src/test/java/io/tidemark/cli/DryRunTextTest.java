package io.tidemark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.job.DryRunReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DryRunTextTest {

  @Test
  void saysAllCountsAndTheHighestVersionOfEachPartition() {
    StringWriter out = new StringWriter();
    TreeMap<String, String> highest = new TreeMap<>();
    highest.put("orders-0", "00000000-1");
    highest.put("orders-1", "00000000-2");

    DryRunText.print(
        new DryRunReport(
            new DryRunReport.Read(12_345, 4, 5, 6, 7, 8, 9, 10),
            new DryRunReport.Rows(1, 2, 3),
            highest,
            List.of("orders-0@17: no key", "orders-0@18: epoch -c FILE", "orders-1@2: no op")),
        2,
        text -> text.replace("FILE", "shop.yaml"),
        new PrintWriter(out));

    assertThat(out.toString().replace(System.lineSeparator(), "\n"))
        .isEqualTo(
            """
            Dry run: nothing was written.
                  12,345  changes read, of which
                       1  rows to insert
                       2  rows to update
                       3  rows to delete
                       4  further changes of the same keys: a key counts once
                       5  deletes of keys without a row
                       6  changes superseded by a higher version
                       7  changes that are duplicates
                       8  changes of unknown keys from before the horizon
                       9  records that cannot be decoded, beside these
                          orders-0@17: no key
                          orders-0@18: epoch -c shop.yaml
                          and 7 more
                      10  records left out, in accepted gaps
            highest version orders-0  00000000-1
            highest version orders-1  00000000-2
            """);
  }
}
