import pg from "pg";

/** Milliseconds that a statement may hang: longer than a machine is frozen, to hear its late answer. */
const WRITE_TIMEOUT = 150_000;

/** Calls `run` with a new connection, which is closed afterwards. */
export async function withConnection<Value>(
  connectionString: string,
  run: (client: pg.Client) => Promise<Value>,
): Promise<Value> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: 2_000,
    query_timeout: WRITE_TIMEOUT,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    return await run(client);
  } finally {
    void client.end().catch(() => {});
  }
}
