import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Attempt, Delivery } from "#contract/deliveries.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import {
  curlCommandOf,
  diagnoseAttempt,
  diagnoseDelivery,
  formatDuration,
  isExample,
  isDeliveryUnderWay,
  prettyBody,
} from "./rules.ts";

const t = translatorOf("deliveries");
const request = { url: "https://shop.example/hooks", headers: {}, body: "{}" };
const attempt = (changes: Partial<Attempt> = {}): Attempt => ({
  started_at: "2026-11-20T00:00:00.000Z",
  duration_ms: 80,
  request,
  response: null,
  error: null,
  ...changes,
});
const answered = (code: number, duration_ms = 80) =>
  diagnoseAttempt(t, attempt({ response: { code, body: "" }, duration_ms }));
const failed = (error: string) => diagnoseAttempt(t, attempt({ error }));

describe("the diagnosis of a delivery attempt", () => {
  test.each([
    [301, "redirects are not followed"],
    [308, "redirects are not followed"],
    [400, "bad request"],
    [401, "requires authentication"],
    [403, "rejected the sender"],
    [404, "path was not found"],
    [405, "does not accept POST"],
    [410, "gone"],
    [413, "too long"],
    [418, "responded with 418"],
    [429, "slow down"],
    [500, "failed (500)"],
    [503, "failed (503)"],
  ])("explains the response status %i", (code, text) => {
    expect(answered(code)).toMatchObject({
      look: "danger",
      title: expect.stringContaining(text),
    });
  });

  // Errors in the words of the embedded service.
  test.each([
    ["Nothing listens at the address: the connection was refused.", "Nothing listens"],
    ["The endpoint cut the connection before it answered.", "closed the connection"],
    ["The name of the endpoint is not known (DNS).", "(DNS)"],
    ["The name of the endpoint could not be looked up (DNS).", "(DNS)"],
    ["The endpoint could not be reached in time.", "in time"],
    ["The endpoint did not answer in time.", "in time"],
    ["The network has no way to the endpoint.", "cannot be reached"],
    ["The endpoint's certificate is self-signed.", "not trusted"],
    ["The endpoint's certificate has expired.", "expired"],
    ["The endpoint's certificate is for another name.", "another name"],
    ["The endpoint's certificate has no known issuer.", "not trusted"],
    ["What came back is not an HTTP answer.", "not HTTP"],
    ["No secure connection: the endpoint does not speak TLS as expected.", "(TLS)"],
    ["The name leads to a private address: not connected.", "private network"],
    ["Not sent. Use an address on the public internet.", "private network"],
    ["Not sent. Use port 443 or 8443.", "port"],
    ["Not sent. Live deliveries need an address that begins with https://.", "not secure"],
    [
      "Not sent. The signing secret cannot be decrypted with this SERVICE_SECRETS_KEY.",
      "sign it",
    ],
  ])("explains the error %o", (error, text) => {
    expect(failed(error)).toMatchObject({
      look: "danger",
      title: expect.stringContaining(text),
    });
  });

  test("warns about a slow response", () => {
    expect(answered(204)).toMatchObject({ look: "info", title: "Delivered." });
    expect(answered(200, 7_200)).toMatchObject({
      look: "warning",
      title: expect.stringContaining("7.2 s"),
    });
  });

  test("shows an unknown error as the service reports it", () => {
    expect(failed("A dragon ate it.").title).toBe("A dragon ate it.");
    expect(failed("").title).toContain("gave no reason");
  });
});

describe("the diagnosis of a delivery", () => {
  const delivery = (changes: Partial<Delivery>): Delivery => ({
    id: 1,
    event_id: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d11",
    event: "checkout.failed",
    webhook_id: 2,
    endpoint_url: request.url,
    subscription_id: "3f1b3b57-7a0c-4a52-9a2f-0d1c5a3f9d12",
    state: "pending",
    attempts: 0,
    last_response_code: null,
    last_error: null,
    next_attempt_at: null,
    created_at: "2026-11-20T00:00:00.000Z",
    finished_at: null,
    body: "{}",
    attempt_list: [],
    ...changes,
  });
  const refused = attempt({ response: { code: 500, body: "" } });

  test("says “Sending.” before the first attempt, and the delivery counts as under way", () => {
    expect(diagnoseDelivery(t, delivery({})).title).toBe("Sending.");
    expect(isDeliveryUnderWay(delivery({}))).toBe(true);
    expect(isDeliveryUnderWay(delivery({ next_attempt_at: "2026-11-20T00:05:00.000Z" }))).toBe(
      false,
    );
    expect(isDeliveryUnderWay(delivery({ state: "delivered" }))).toBe(false);
  });

  test("explains the last attempt while the next attempt is pending", () => {
    const waiting = delivery({ attempts: 1, attempt_list: [refused] });
    expect(diagnoseDelivery(t, waiting).title).toBe("The endpoint failed (500).");
  });

  test("says after how many attempts the service gave up", () => {
    const given_up = delivery({ state: "failed", attempts: 10, attempt_list: [refused] });
    expect(diagnoseDelivery(t, given_up).advice).toContain("gave up after 10 attempts");
  });

  test("says that the endpoint of a skipped delivery was paused, and that a successful delivery arrived", () => {
    expect(diagnoseDelivery(t, delivery({ state: "skipped" })).title).toContain("paused");
    const arrived = attempt({ response: { code: 204, body: null } });
    const delivered = delivery({
      state: "delivered",
      attempts: 2,
      attempt_list: [refused, arrived],
    });
    expect(diagnoseDelivery(t, delivered).title).toBe("Delivered.");
  });
});

test("the curl command of a delivery attempt is quoted for a shell", () => {
  const odd = {
    url: "http://127.0.0.1:1/?a=b&c='d'",
    headers: { "webhook-id": "$(touch /tmp/x) `id`" },
    body: `{"name":"O'Brien\\n"}`,
  };
  const command = curlCommandOf(odd).replace(/^curl/, "printf '%s\\0'");
  const { stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  expect(stdout.split("\0").slice(0, -1)).toEqual([
    "-X",
    "POST",
    odd.url,
    "-H",
    "webhook-id: $(touch /tmp/x) `id`",
    "--data-raw",
    odd.body,
  ]);
});

test("the JSON body of a delivery is shown indented, and any other body unchanged", () => {
  expect(prettyBody('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(prettyBody("<h1>Oops</h1>")).toBe("<h1>Oops</h1>");
});

test("an example delivery is recognized by the reason in its body", () => {
  expect(isExample('{"reason":"example"}')).toBe(true);
  expect(['{"reason":"renewal"}', "[]", "null", "<h1>"].map(isExample)).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});

test("a duration is formatted in milliseconds or seconds", () => {
  expect([85, 999, 1_240].map((ms) => formatDuration(t, ms))).toEqual([
    "85 ms",
    "999 ms",
    "1.2 s",
  ]);
});
