import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { noteDatabaseAway, withRequest } from "#lib/trace.ts";
import {
  answerDatabaseAway,
  areActionArguments,
  refuseUnreadable,
  requestRefusalOf,
} from "./refusal.ts";

const head = (method: string, url: string, headers: Record<string, string> = {}) =>
  requestRefusalOf({ method, url, headers })?.status ?? null;

test.each([
  ["GET", "/a/test/subscriptions?page=%ff", null],
  ["GET", "/a/test/%E0%A4%95", null],
  ["GET", "/a/%/subscriptions", 400],
  ["GET", "/api/a/%ff/customers", 400],
  ["TRACE", "/api/a/test/customers", 405],
  ["POST", "/api/auth/callback/credentials", null],
  ["POST", "/a/test/subscriptions", 405],
  ["PUT", "/a/test/subscriptions", 405],
  ["POST", "/api/auth/../a/test", null],
  ["POST", "/api/../a/test", 405],
])("a request %s %s gets the status %o (null: not refused)", (method, url, status) => {
  expect(head(method, url)).toBe(status);
});

test("only sign-in, the webhook receiver and the link that stops mails accept form posts", () => {
  const form = { "content-type": "multipart/form-data; boundary=a" };
  expect(head("POST", "/api/auth/callback/credentials", form)).toBe(null);
  expect(head("POST", "/api/received/token", form)).toBe(null);
  const stop = { "content-type": "application/x-www-form-urlencoded" };
  expect(head("POST", "/api/unsubscribe/token?page=yes", stop)).toBe(null);
  expect(head("POST", "/api/unsubscribe/a/b", stop)).toBe(415);
  expect(head("POST", "/api/test/proofs/file", form)).toBe(415);
});

const action = {
  "next-action": "40a",
  "content-type": "text/plain;charset=UTF-8",
  "content-length": "2",
  host: "desk.example",
};

test.each([
  [{}, null],
  [{ origin: "https://desk.example" }, null],
  [{ origin: "https://evil.example" }, 403],
  [{ origin: "null" }, 403],
  [{ "content-type": "multipart/form-data; boundary=a" }, 415],
  [{ "content-length": "ten" }, 411],
  [{ "content-length": "1048577" }, 413],
])(
  "a server action with the headers %o gets the status %o (null: not refused)",
  (headers, status) => {
    expect(head("POST", "/a/test/settings", { ...action, ...headers })).toBe(status);
  },
);

test.each([
  "[]",
  '["$undefined","$$5 off",{"at":"$D2026-11-22T00:00:00.000Z","n":"$n12"}]',
  '[{"seller":"a"},{"again":"$0:0"},"$0"]',
])("the request body %s is accepted as arguments of a server action", (body) => {
  expect(areActionArguments(body)).toBe(true);
});

test.each([
  "",
  "{}",
  "[",
  '["$F1"]',
  '["$1"]',
  '["$@0"]',
  '["$D2026-13-45"]',
  '["$nx"]',
  '["$0:constructor"]',
  '["$T"]',
  '[{"__proto__":{"a":1}}]',
  `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
])("the request body %s is refused as arguments of a server action", (body) => {
  expect(areActionArguments(body)).toBe(false);
});

let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    void refuseUnreadable(request, response, new Headers()).then(async (isRefused) => {
      if (!isRefused) response.end(await text(request));
    });
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

test.each([[0], [3], [70_000], [900_000]])(
  "arguments of %i characters reach the action unchanged after the check, or are refused as too large",
  async (letters) => {
    const body = JSON.stringify(["क".repeat(letters)]);
    const { host } = new URL(url);
    const headers = { "next-action": "40a", "content-type": "text/plain", host };
    const answer = await fetch(url, { method: "POST", body, headers });
    expect(answer.status).toBe(body.length > 300_000 ? 413 : 200);
    if (answer.status === 200) expect(await answer.text()).toBe(body);
  },
);

async function statusAfter(isDatabaseDown: boolean) {
  const server = createServer((_request, response) => {
    answerDatabaseAway(response);
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

test("a 500 answer caused by an unreachable database becomes 503 with Retry-After, and other 500 answers do not", async () => {
  expect(await statusAfter(true)).toEqual([503, "2", "Something went wrong."]);
  expect(await statusAfter(false)).toEqual([500, null, "Something went wrong."]);
});
