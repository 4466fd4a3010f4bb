import { describe, expect, test } from "vitest";
import type { EndpointNotice } from "#contract/deliveries.ts";
import { EVENT_KINDS } from "#contract/names.ts";
import type { Webhook } from "#contract/webhooks.ts";
import type { Failure } from "#lib/failure.ts";
import { fullTranslator, translatorOf } from "#tools/testing/messages.ts";
import {
  isAddressRefused,
  countActiveEvents,
  describeEvent,
  describeWriteFailure,
  findDuplicateEvents,
  groupByAddress,
  hostOf,
  noticeFor,
  addressProblemOf,
  webhooksOf,
} from "./rules.ts";

const t = fullTranslator();
const SHOP = "https://shop.example/hooks";
const OTHER = "https://other.example/hooks";
const webhook = (id: number, event: string, changes: Partial<Webhook> = {}): Webhook => ({
  id,
  event,
  endpoint_url: SHOP,
  is_active: true,
  created_at: "2026-11-01T00:00:00.000Z",
  ...changes,
});

describe("endpoints grouped by URL", () => {
  test("list every known event, registered or not, then unknown events", () => {
    const [endpoint] = groupByAddress([
      webhook(3, "refund.created"),
      webhook(2, "subscription.status_changed", { is_active: false }),
      webhook(1, "checkout.succeeded"),
    ]);
    expect(endpoint?.events.map(({ event, webhooks }) => [event, webhooks.length])).toEqual([
      ["checkout.succeeded", 1],
      ["checkout.failed", 0],
      ["subscription.status_changed", 1],
      ["refund.created", 1],
    ]);
    expect(endpoint && countActiveEvents(endpoint)).toBe(2);
    const [offered] = groupByAddress([webhook(1, "checkout.succeeded")], EVENT_KINDS);
    expect(offered?.events.map(({ event }) => event)).toEqual(EVENT_KINDS);
  });

  test("are sorted newest first and keep their position when events are added", () => {
    const before = [
      webhook(2, "checkout.succeeded", { endpoint_url: OTHER }),
      webhook(1, "checkout.succeeded"),
    ];
    const urls = (list: Webhook[]) =>
      groupByAddress(list).map(({ endpoint_url }) => endpoint_url);
    expect(urls(before)).toEqual([OTHER, SHOP]);
    expect(urls([webhook(3, "checkout.failed"), ...before])).toEqual([OTHER, SHOP]);
  });

  test("list both webhooks of a duplicate event, but count the event once", () => {
    const [endpoint] = groupByAddress([
      webhook(5, "checkout.failed"),
      webhook(4, "checkout.failed"),
    ]);
    expect(endpoint && webhooksOf(endpoint).map(({ id }) => id)).toEqual([4, 5]);
    expect(endpoint && countActiveEvents(endpoint)).toBe(1);
  });

  test("are separate if their URLs differ in a slash or in upper and lower case", () => {
    const urls = [SHOP, `${SHOP}/`, SHOP.toUpperCase()];
    const list = urls.map((endpoint_url, id) =>
      webhook(id, "checkout.failed", { endpoint_url }),
    );
    expect(groupByAddress(list)).toHaveLength(3);
  });
});

test("a warning appears if the new URL of an endpoint already has the same event", () => {
  const moved = [webhook(1, "checkout.succeeded"), webhook(2, "checkout.failed")];
  const there = webhook(3, "checkout.failed", { endpoint_url: OTHER });
  expect(findDuplicateEvents(OTHER, moved, [...moved, there])).toEqual(["checkout.failed"]);
  expect(findDuplicateEvents(SHOP, moved, [...moved, there])).toEqual([]);
});

test("the notice of a failing endpoint is shown while its webhook is switched off", () => {
  const notice: EndpointNotice = {
    id: 1,
    webhook_id: 7,
    endpoint_url: SHOP,
    kind: "failing",
    message: "Five days of failures.",
    created_at: "2026-11-01T00:00:00.000Z",
  };
  const off = webhook(7, "checkout.failed", { is_active: false });
  expect(noticeFor(off, [notice])).toBe(notice);
  expect(noticeFor({ ...off, is_active: true }, [notice])).toBeNull();
  expect(noticeFor({ ...off, id: 8 }, [notice])).toBeNull();
  expect(noticeFor(off, null)).toBeNull();
});

describe("the message for a failed write of a webhook", () => {
  test("reports a missing response as unconfirmed", () => {
    for (const failure of [
      { kind: "unanswered" },
      { kind: "unavailable", outcome_unknown: true },
    ] as const)
      expect(describeWriteFailure(t, failure, "create").title).toContain("could not confirm");
  });

  test("mentions the refreshed list only for writes that refresh the list", () => {
    const adviceOf = (write: Parameters<typeof describeWriteFailure>[2]) =>
      describeWriteFailure(t, { kind: "unanswered" }, write).advice;
    expect(adviceOf("create")).toContain("has been refreshed");
    expect(adviceOf("rotate")).toContain(
      "the secret that your program uses stops working at once",
    );
    expect(adviceOf("tool")).toContain("Check the deliveries");
  });

  test("shows the reason that the service gives for the URL", () => {
    const failure: Failure = {
      kind: "validation",
      fields: { endpoint_url: ["Use port 443 or 8443."] },
      detail: null,
    };
    expect(describeWriteFailure(t, failure, "update").title).toBe("Use port 443 or 8443.");
  });

  test("distinguishes a service that accepts no webhooks from a webhook that does not exist", () => {
    expect(describeWriteFailure(t, { kind: "not_offered" }, "create").title).toContain(
      "does not accept new webhooks",
    );
    expect(describeWriteFailure(t, { kind: "not_found" }, "update").title).toContain("this ID");
  });
});

test.each([
  ["", "missing"],
  ["shop.example/hooks", "incomplete"],
  ["ftp://shop.example/", "incomplete"],
  ["https://user@shop.example/", "credentials"],
])("the webhook URL %o is rejected", (text, problem) => {
  expect(addressProblemOf(text)).toBe(problem);
});

test("a loopback URL is accepted for a webhook, because the service decides about it", () => {
  expect(addressProblemOf("http://127.0.0.1:4500/hooks?a=b")).toBeNull();
});

test("only host and port of a webhook URL are shown", () => {
  expect(hostOf("https://shop.example:8443/hooks?token=secret")).toBe("shop.example:8443");
  expect(hostOf("nonsense")).toBe("");
});

test("a failure is shown at the URL unless it concerns the event, the API key or a duplicate", () => {
  const validation = (field: string): Failure => ({
    kind: "validation",
    fields: { [field]: ["Blocked."] },
    detail: null,
  });
  const conflict = (status?: number): Failure => ({
    kind: "conflict",
    detail: "Blocked.",
    ...(status !== undefined && { status }),
  });
  for (const failure of [validation("endpoint_url"), conflict(), conflict(422)])
    expect(isAddressRefused(failure)).toBe(true);
  const others = [validation("event"), conflict(409), { kind: "unauthorized" } as const];
  for (const failure of others) expect(isAddressRefused(failure)).toBe(false);
});

test("an unknown event is described as not known to Duebook", () => {
  const texts = [...EVENT_KINDS, "refund.created"].map((event) =>
    describeEvent(translatorOf("webhooks"), event),
  );
  expect(texts.findIndex((text) => text.includes("does not know"))).toBe(EVENT_KINDS.length);
});
