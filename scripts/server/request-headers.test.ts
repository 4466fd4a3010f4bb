import { expect, test } from "vitest";
import { identifyRequest, overwriteForwardedHeaders } from "./request-headers.ts";

function forward(given: Record<string, string>, trustedProxies = 0) {
  const request = {
    headers: { host: "desk.example", ...given } as Record<string, string>,
    socket: { remoteAddress: "10.0.0.1" },
  };
  overwriteForwardedHeaders(request, trustedProxies);
  return request.headers;
}

const FORGED = {
  "x-forwarded-for": "1.2.3.4, 5.6.7.8",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "https",
  "x-real-ip": "1.2.3.4",
  forwarded: "for=1.2.3.4",
};

test("forwarding headers are ignored without a trusted proxy", () => {
  expect(forward(FORGED)).toEqual({
    host: "desk.example",
    "x-forwarded-for": "10.0.0.1",
    "x-forwarded-host": "desk.example",
    "x-forwarded-proto": "http",
  });
});

test.each([
  [1, "5.6.7.8"],
  [2, "1.2.3.4"],
  [3, "1.2.3.4"],
])(
  "behind %i trusted proxies, the client address is taken from the outermost trusted proxy",
  (count, client) => {
    expect(forward(FORGED, count)["x-forwarded-for"]).toBe(client);
  },
);

test("host and protocol are taken from a trusted proxy", () => {
  const given = { "x-forwarded-host": "desk.public.example", "x-forwarded-proto": "https" };
  expect(forward(given, 1)).toMatchObject({
    host: "desk.public.example",
    "x-forwarded-host": "desk.public.example",
    "x-forwarded-proto": "https",
  });
});

test("a trusted proxy that sends no forwarding headers counts as the client", () => {
  expect(forward({}, 1)).toMatchObject({
    "x-forwarded-for": "10.0.0.1",
    "x-forwarded-host": "desk.example",
  });
});

const TRACE = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;

function identify(headers: Record<string, string>, trustedProxies = 0) {
  const request = { headers: { ...headers } };
  return { id: identifyRequest(request, trustedProxies), headers: request.headers };
}

test("a request id is taken from a trusted proxy, and replaced for any other caller", () => {
  const given = { "x-request-id": "proxy-4711-0001" };
  const { id, headers } = identify(given);
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(headers["x-request-id"]).toBe(id);
  expect(identify(given, 1).id).toBe("proxy-4711-0001");
  expect(identify(given).id).not.toBe(id);
});

test.each(["short", "a".repeat(65), "two\nlines", "with space here", "<script>alert"])(
  "the request id %j from a trusted proxy is replaced, because it could corrupt a log line",
  (text) => {
    expect(identify({ "x-request-id": text }, 1).id).toMatch(/^[0-9a-f]{32}$/);
  },
);

test("a trace is continued from the dashboard's own pages or a trusted proxy, but not from other callers", () => {
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
