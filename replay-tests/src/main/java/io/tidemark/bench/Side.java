package io.tidemark.bench;

/** The two pipelines. */
enum Side {
  TIDEMARK("Tidemark") {
    @Override
    void drain(DrainOrder order) throws Exception {
      TidemarkDrain.run(order);
    }
  },
  STOCK("stock") {
    @Override
    void drain(DrainOrder order) throws Exception {
      StockDrain.run(order);
    }
  };

  private final String title;

  Side(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Brings the whole topic into a new table, and returns when that is committed. */
  abstract void drain(DrainOrder order) throws Exception;
}
