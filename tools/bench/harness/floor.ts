import type { AddressInfo } from "node:net";
import Fastify from "fastify";
import { openPool } from "../../../service/db/database.ts";
import { selectSubscriptionPage } from "../../../service/subscriptions/list-store.ts";
import { summarizeTimes } from "./load.ts";

/** Commands from `tools/bench/harness/subject.ts` to this process. */
export type FloorCommand =
  | { serve: string }
  | {
      fetch: { databaseUrl: string; sellerId: number };
      connections: number;
      milliseconds: number;
    };

/** A minimal route that sends the same bytes: the cost of HTTP alone. */
async function serve(body: string) {
  const app = Fastify();
  app.get("/", (_request, reply) => reply.type("application/json; charset=utf-8").send(body));
  await app.listen({ port: 0, host: "127.0.0.1" });
  process.send?.({ port: (app.server.address() as AddressInfo).port });
}

/** Reads the same rows with the driver, without HTTP: the cost of the database and its protocol. */
async function fetchRows({
  fetch: { databaseUrl, sellerId },
  connections,
  milliseconds,
}: Extract<FloorCommand, { fetch: object }>) {
  const pool = openPool(databaseUrl);
  const times: number[] = [];
  const started = performance.now();
  const until = started + milliseconds;
  const lane = async () => {
    for (let now = performance.now(); now < until;) {
      await selectSubscriptionPage(pool, sellerId, { page: 1, pageSize: 20 });
      const end = performance.now();
      times.push(end - now);
      now = end;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  process.send?.(summarizeTimes(times, performance.now() - started));
  await pool.end();
}

process.on("message", (order: FloorCommand) => {
  void ("serve" in order ? serve(order.serve) : fetchRows(order));
});
