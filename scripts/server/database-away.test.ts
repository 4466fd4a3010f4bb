import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { noteDatabaseAway, withRequest } from "#lib/trace.ts";
import { answerAway } from "./refusal.ts";

async function statusAfter(isDatabaseDown: boolean) {
  const server = createServer((_request, response) => {
    answerAway(response);
    void withRequest("request-0001", async () => {
      if (isDatabaseDown) await Promise.resolve().then(noteDatabaseAway);
      response.statusCode = 500;
      response.end("Something went wrong.");
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`);
  const told = [answer.status, answer.headers.get("retry-after"), await answer.text()];
  await new Promise((resolve) => server.close(resolve));
  return told;
}

test("what failed for want of the database says that it passes; other faults do not", async () => {
  expect(await statusAfter(true)).toEqual([503, "2", "Something went wrong."]);
  expect(await statusAfter(false)).toEqual([500, null, "Something went wrong."]);
});
