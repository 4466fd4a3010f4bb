import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { GeneralError } from "#contract/errors.ts";
import { buildApp } from "../app.ts";
import { openPool } from "../db/database.ts";
import { startTestService } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const WRONG_KEY = { authorization: `Bearer dbk_test_${"0".repeat(12)}_${"x".repeat(43)}` };

test("while the database is unavailable, /readyz answers 503 with Retry-After and /healthz answers 200", async () => {
  const away = await startTestService("postgresql://nobody@127.0.0.1:1/none");
  const ready = await away.app.inject({ url: "/readyz" });
  expect(ready.statusCode).toBe(503);
  expect(ready.headers["retry-after"]).toBe("2");
  expect(GeneralError.parse(ready.json()).detail).toContain("database");
  expect((await away.app.inject({ url: "/healthz" })).statusCode).toBe(200);
  await away.close();
});

test.each([
  ["is unavailable", "postgresql://nobody@127.0.0.1:1/none"],
  ["has no connection left", null],
])(
  "the API, the checkout and the sandbox's payment page answer 503 with Retry-After when the database %s",
  async (_, url) => {
    const given = await startTestService(url ?? service.pool.options.connectionString ?? "");
    const all = Array.from({ length: url ? 0 : 20 }, () => given.pool.connect());
    const held = await Promise.all(all);
    const asked = ["/api/v1/products/", `/pay/${randomUUID()}`, `/sandbox-pay/${randomUUID()}`];
    const answers = await Promise.all(
      asked.map((address) => given.app.inject({ url: address, headers: WRONG_KEY })),
    );
    for (const connection of held) connection.release();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([503, 503, 503]);
    expect(answers.map((answer) => answer.headers["retry-after"])).toEqual(["2", "2", "2"]);
    expect(answers[1]?.body).toContain("Temporarily unavailable");
    await given.close();
  },
);

test("an unavailable database is logged once although 30 requests fail", async () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const pool = openPool("postgresql://nobody@127.0.0.1:1/none");
  const context = { pool, now: service.clock.now, publicUrl: "http://billing.test" };
  const app = await buildApp({ ...context, mode: "test" }, { log: { level: "warn", stream } });
  const asked = ["/api/v1/products/", `/pay/${randomUUID()}`, `/sandbox-pay/${randomUUID()}`];
  for (let times = 0; times < 10; times += 1)
    await Promise.all(asked.map((url) => app.inject({ url, headers: WRONG_KEY })));
  await Promise.all([app.close(), pool.end()]);
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { level: "error", msg: "the database is away", fault: { code: "ECONNREFUSED" } },
  ]);
});
