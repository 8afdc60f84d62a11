CREATE TABLE orders (
  id bigint PRIMARY KEY,
  customer text NOT NULL,
  amount numeric(12, 2) NOT NULL,
  ordered_at timestamptz NOT NULL DEFAULT now()
);

-- A delete and an update then carry all columns, also those that PostgreSQL keeps apart because they are large.
ALTER TABLE orders REPLICA IDENTITY FULL;

INSERT INTO orders (id, customer, amount)
SELECT n, 'customer ' || n % 100, n FROM generate_series(1, 1000) AS n;
