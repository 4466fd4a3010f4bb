import { expect, test } from "vitest";
import { createMetrics, serveMetrics } from "./metrics.ts";
import { useTestService } from "./testing/use-service.ts";

const service = useTestService();

test("metrics require the configured token", async () => {
  const token = "a long enough token";
  const server = await serveMetrics(createMetrics(service.pool), {
    port: 0,
    host: "127.0.0.1",
    token,
  });
  const ask = async (authorization?: string) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}/metrics`, {
      headers: authorization === undefined ? {} : { authorization },
    });
    return [answer.status, (await answer.text()).includes("database_connections")];
  };
  for (const wrong of [undefined, "", "Bearer", token, `Bearer ${token}!`, "Bearer ünknown"])
    expect(await ask(wrong)).toEqual([401, false]);
  expect(await ask(`Bearer ${token}`)).toEqual([200, true]);
  await server.close();
});
