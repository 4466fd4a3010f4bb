import { expect, test } from "vitest";
import { identifyRequest } from "./request-headers.ts";

const TRACE = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

function identify(headers: Record<string, string>, trustedProxies = 0) {
  const request = { headers: { ...headers } };
  return { id: identifyRequest(request, trustedProxies), headers: request.headers };
}

test("a caller's own id counts for nothing, that of a trusted proxy is taken over", () => {
  const given = { "x-request-id": "proxy-4711-0001" };
  const { id, headers } = identify(given);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(headers["x-request-id"]).toBe(id);
  expect(identify(given, 1).id).toBe("proxy-4711-0001");
  expect(identify(given).id).not.toBe(id);
});

test.each(["short", "a".repeat(65), "two\nlines", "with space here", "<script>alert"])(
  "what could not stand in a log is no id of a trusted proxy either: %j",
  (text) => {
    expect(identify({ "x-request-id": text }, 1).id).toMatch(/^[0-9a-f]{32}$/);
  },
);

test("a trace is gone on with for our own pages and a trusted proxy, and for nobody else", () => {
  const own = { "sec-fetch-site": "same-origin", traceparent: TRACE };
  expect(identify(own).headers.traceparent).toBe(TRACE);
  expect(identify({ traceparent: TRACE }, 1).headers.traceparent).toBe(TRACE);
  expect(identify({ traceparent: TRACE }).headers).not.toHaveProperty("traceparent");
  const strange = { ...own, "sec-fetch-site": "cross-site" };
  expect(identify(strange).headers).not.toHaveProperty("traceparent");
  const broken = { ...own, traceparent: `00-${"0".repeat(32)}-${"b".repeat(16)}-01` };
  expect(identify(broken).headers).not.toHaveProperty("traceparent");
  expect(identify({ ...own, baggage: "a=b" }).headers).not.toHaveProperty("baggage");
});
