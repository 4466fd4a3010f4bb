import { expect, test } from "vitest";
import { overwriteForwarded } from "./forwarded.ts";

function forward(given: Record<string, string>, trustedProxies = 0) {
  const request = {
    headers: { host: "desk.example", ...given } as Record<string, string>,
    socket: { remoteAddress: "10.0.0.1" },
  };
  overwriteForwarded(request, trustedProxies);
  return request.headers;
}

const FORGED = {
  "x-forwarded-for": "1.2.3.4, 5.6.7.8",
  "x-forwarded-host": "evil.example",
  "x-forwarded-proto": "https",
  "x-real-ip": "1.2.3.4",
  forwarded: "for=1.2.3.4",
};

test("without a trusted proxy a caller's own words count for nothing", () => {
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
  "behind %i proxies the caller is the one whom the outermost of them saw",
  (count, client) => {
    expect(forward(FORGED, count)["x-forwarded-for"]).toBe(client);
  },
);

test("a trusted proxy says which host was asked for, and how", () => {
  const given = { "x-forwarded-host": "desk.public.example", "x-forwarded-proto": "https" };
  expect(forward(given, 1)).toMatchObject({
    host: "desk.public.example",
    "x-forwarded-host": "desk.public.example",
    "x-forwarded-proto": "https",
  });
});

test("a trusted proxy that says nothing is the caller itself", () => {
  expect(forward({}, 1)).toMatchObject({
    "x-forwarded-for": "10.0.0.1",
    "x-forwarded-host": "desk.example",
  });
});
