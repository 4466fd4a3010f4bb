import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { formatOf, translatorOf } from "#tools/testing/messages.ts";
import {
  matchingActions,
  auditChangesOf,
  describeAuditEvent,
  describeReason,
  KNOWN_ACTIONS,
  eventSubject,
} from "./rules.ts";

const t = translatorOf("audit");
const { date } = formatOf({ time_zone: "Asia/Kathmandu", now: "2026-11-20T06:15:00Z" });
const act = { action: "team.change-role", result: "done", member_name: "Maya", detail: {} };
const described = (changes: Partial<Parameters<typeof describeAuditEvent>[1]> = {}) =>
  describeAuditEvent(t, { ...act, result: "done", ...changes });

test("the audit entry of a created subscription says that an unpaid subscription was reused", () => {
  const words = described({ action: "subscription.create", detail: { is_reused: true } });
  expect(words).toBe("Reused an unpaid subscription");
});

test("every audit action in the code has a label", () => {
  const named = globSync("lib/**/*.ts", { exclude: ["**/*.test.ts"] }).flatMap((path) =>
    Array.from(
      readFileSync(path, "utf8").matchAll(/^\s*(?:name:|.*\baction:) "([a-z-]+\.[a-z-]+)"/gm),
      ([, name]) => name,
    ),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(KNOWN_ACTIONS).toEqual(expect.arrayContaining(named));
});

test("an audit entry names the action and the affected member or API key", () => {
  expect(described()).toBe("Changed the role of Maya");
  expect(described({ member_name: null })).toBe("Changed the role of a member");
  const keys = { before_last4: "0001", after_last4: "4f2a" };
  expect(described({ action: "connection.set", detail: keys })).toBe(
    "Connected the API key ending 4f2a",
  );
});

test("a refused action is described with “Tried to”, and a failed one with its reason", () => {
  expect(described({ result: "refused" })).toBe("Tried to change the role of Maya");
  const reasonOf = (result: "done" | "refused" | "unknown", failure: string) =>
    describeReason(t, { result, detail: { failure } });
  expect(reasonOf("refused", "forbidden")).toBe("Their role does not include it.");
  expect(reasonOf("refused", "__proto__x")).toBeNull();
  expect(reasonOf("unknown", "unavailable")).toContain("could not confirm");
  expect(reasonOf("done", "forbidden")).toBeNull();
});

test("an unknown action in the audit log is shown by its code name", () => {
  expect(described({ action: "refund.create" })).toBe("refund.create");
});

test("an audit log search finds actions by words of their labels", () => {
  expect(matchingActions(t, "BILLING DATE")).toEqual(["subscription.reschedule"]);
  expect(matchingActions(t, "no such words")).toEqual([]);
});

test("an audit entry shows changed values with old and new value, and leaves out unchanged values", () => {
  const detail = { member: "id", role_before: "viewer", role: "support", failure: "conflict" };
  expect(auditChangesOf(t, detail, date)).toEqual([
    { label: "Role", before: "viewer", after: "support" },
  ]);
  expect(
    auditChangesOf(t, { before_last4: null, after_last4: "4f2a", pbp_id: "pbp_1" }, date),
  ).toEqual([
    { label: "Key ends in", before: "", after: "4f2a" },
    { label: "Price and period", after: "pbp_1" },
  ]);
  const moved = { status_before: "due", status: "due", next_billing_before: "2026-11-20" };
  expect(auditChangesOf(t, { ...moved, next_billing: "2026-12-01" }, date)).toEqual([
    { label: "Next billing", before: "20 Nov 2026", after: "1 Dec 2026" },
  ]);
  const ended = { status_before: "active", status: "pending_cancellation" };
  expect(auditChangesOf(t, ended, date)).toEqual([
    { label: "Status", before: "active", after: "pending cancellation" },
  ]);
  expect(auditChangesOf(t, { role_before: "viewer" }, date)).toEqual([
    { label: "Role", before: "viewer", after: "" },
  ]);
});

test("the object of an audit entry is its subject's name, or else the host in its details", () => {
  expect(eventSubject({ subject: "Kiran Regmi", detail: { status: "due" } })).toBe(
    "Kiran Regmi",
  );
  expect(eventSubject({ subject: null, detail: { host: "shop.example" } })).toBe(
    "shop.example",
  );
  expect(eventSubject({ subject: null, detail: {} })).toBeNull();
});
