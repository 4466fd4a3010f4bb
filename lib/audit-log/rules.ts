import type { Translate } from "#lib/i18n/message.ts";
import { describeGoodwillReason } from "#lib/money/goodwill-reasons.ts";
import type { AuditEvent } from "./queries.ts";

/** Actions this version knows; entries of a newer version may have others. */
export const KNOWN_ACTIONS = [
  "subscription.create",
  "subscription.cancel",
  "subscription.resume",
  "subscription.reschedule",
  "subscription.waive",
  "subscription.bulk",
  "subscription.bulk-step",
  "subscription.bulk-change",
  "subscription.bulk-file",
  "subscription.withdraw",
  "subscription.import",
  "subscription.import-step",
  "subscription.import-change",
  "subscription.import-file",
  "subscription.export",
  "import.check",
  "import.mend",
  "import.delete",
  "figures.export",
  "proofs.export",
  "product.create",
  "product.update",
  "product.set-on-sale",
  "product.export",
  "product.move-subscribers",
  "product.undo-move",
  "product.open-link",
  "product.pause-link",
  "product.renew-link",
  "customer.tag",
  "customer.untag",
  "customer.tag-selected",
  "customer.note",
  "customer.remove-note",
  "customer.rename-tag",
  "customer.delete-tag",
  "customer.export",
  "view.save",
  "view.update",
  "view.share",
  "view.unshare",
  "view.remove",
  "view.arrange",
  "collection.remind",
  "collection.note",
  "collection.promise",
  "collection.snooze",
  "collection.assign",
  "collection.undo",
  "collection.set-grace",
  "payment.record",
  "payment.approve",
  "payment.decline",
  "payment.reverse",
  "payment.note",
  "payment.check",
  "payment.decide",
  "payment.ask",
  "request.answer",
  "refund.request",
  "refund.confirm",
  "refund.refuse",
  "refund.retry",
  "refund.by_hand",
  "connection.set",
  "connection.open-account",
  "connection.test",
  "connection.remove",
  "key.create",
  "key.roll",
  "key.revoke",
  "copy.start",
  "copy.stop",
  "copy.look-again",
  "reconciliation.start",
  "reconciliation.pause",
  "reconciliation.repair",
  "sandbox.move-clock",
  "sandbox.set-clock-right",
  "sandbox.start-scenario",
  "sandbox.reset",
  "sandbox.pay",
  "sandbox.save-state",
  "sandbox.restore-state",
  "sandbox.delete-state",
  "webhook.create",
  "webhook.update",
  "webhook.remove",
  "webhook.rotate-secret",
  "receiver.register",
  "receiver.add-secret",
  "receiver.remove-secret",
  "receiver.change-scheme",
  "receiver.renew",
  "verification.change",
  "verification.add-document",
  "verification.remove-document",
  "verification.submit",
  "receiver.send-test",
  "notifications.read",
  "notifications.choose",
  "notifications.send-test",
  "delivery.resend",
  "delivery.recover",
  "delivery.send-example",
  "team.invite",
  "team.revoke-invitation",
  "team.join",
  "team.change-role",
  "team.remove",
  "team.leave",
  "team.demand-second-factor",
  "ownership.hand-over",
  "seller.create",
  "seller.update",
  "payaccount.create",
  "payaccount.save",
  "payaccount.remove",
  "payaccount.order",
  "payaccount.check",
  "payaccount.compare",
  "payaccount.statement",
  "bills.save",
  "bills.send",
  "channel.begin",
  "channel.create",
  "channel.save",
  "channel.remove",
  "channel.check",
  "channel.send-test",
  "reminder.hold",
  "reminder.release",
  "reminder.send",
  "reminder.set-language",
  "optout.find",
  "optout.add",
  "optout.remove",
  "schedule.save",
  "schedule.preview",
  "message.update",
  "message.add-language",
  "message.remove-language",
  "audit.export",
] as const;
type KnownAction = (typeof KNOWN_ACTIONS)[number];

/** The label of an action in the filter: "Changed the role of a member". */
export function actionLabel(t: Translate<"audit">, action: KnownAction): string {
  return describeAuditEvent(t, { action, result: "done", member_name: null, detail: {} });
}

/**
 * Describes an entry, such as "Invited someone to the team"; an unknown action is shown by its code
 * name.
 */
export function describeAuditEvent(
  t: Translate<"audit">,
  {
    action,
    result,
    member_name,
    detail,
  }: Pick<AuditEvent, "action" | "result" | "member_name" | "detail">,
): string {
  if (detail["is_reused"] === true) return t("reused");
  const known = KNOWN_ACTIONS.find((one) => one === action);
  if (!known) return result === "done" ? action : t("tried", { action });
  const last4 = detail["after_last4"] ?? detail["last4"] ?? detail["before_last4"];
  return t(`actions.${known}.${result === "done" ? "done" : "tried"}`, {
    hasMember: member_name === null ? "no" : "yes",
    member: member_name ?? "",
    hasKey: last4 ? "yes" : "no",
    last4: String(last4 ?? ""),
  });
}

/** The name of the object: a buyer, URL's host, view, scenario or product; null if it has none. */
export const eventSubject = ({
  subject,
  detail,
}: Pick<AuditEvent, "subject" | "detail">): string | null =>
  subject ?? OBJECTS.map((key) => detail[key]).find((name) => typeof name === "string") ?? null;

const OBJECTS = ["host", "view", "scenario", "product_name"] as const;

/** Actions whose label contains the term, so that a search finds the text shown on the page. */
export function matchingActions(t: Translate<"audit">, term: string): string[] {
  const wanted = term.toLowerCase();
  return KNOWN_ACTIONS.filter((action) =>
    actionLabel(t, action).toLowerCase().includes(wanted),
  );
}

/** The text of a word that the log stores, such as "roles.owner"; null for an unknown word. */
function textOf(t: Translate<"audit">, word: string): string | null {
  const key = word as "reasons.conflict";
  return t.has(key) ? t(key) : null;
}

/** The reason of a failure; null if the action was done, or for an unknown reason. */
export function describeReason(
  t: Translate<"audit">,
  { result, detail }: Pick<AuditEvent, "result" | "detail">,
): string | null {
  if (result === "done") return null;
  if (result === "unknown") return t("lost");
  return textOf(t, `reasons.${String(detail["failure"])}`);
}

export interface AuditChange {
  label: string;
  /** The earlier value; undefined when it is unknown. */
  before?: string;
  after: string;
}

// Details that another part of the row already shows.
const TOLD = new Set(["failure", "is_reused", "member"]);

const isMoment = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(value);

/**
 * The changed values of an entry, in the order in which they were written; unchanged values are left out.
 * @param date formats a day for the reader
 */
export function auditChangesOf(
  t: Translate<"audit">,
  detail: AuditEvent["detail"],
  date: (iso: string) => string,
): AuditChange[] {
  const changes = new Map<string, AuditChange>();
  for (const [key, value] of Object.entries(detail)) {
    if (TOLD.has(key)) continue;
    const isBefore = /^before_|_before$/.test(key);
    const subject = key.replace(/^(before|after)_|_before$/g, "");
    const change = changes.get(subject) ?? { label: labelOf(t, subject), after: "" };
    changes.set(subject, {
      ...change,
      [isBefore ? "before" : "after"]: isMoment(value)
        ? date(value)
        : valueOf(t, subject, value),
    });
  }
  return [...changes.values()].filter(({ before, after }) => before !== after);
}

/** The displayed text of a value; ids and unknown words stay as they are. */
function valueOf(
  t: Translate<"audit">,
  subject: string,
  value: AuditEvent["detail"][string] | undefined,
): string {
  const text = String(value ?? "");
  if (typeof value === "boolean") return t(`truth.${value}`);
  switch (subject) {
    case "courtesy":
      return describeGoodwillReason(t, text);
    case "role":
      return textOf(t, `roles.${text}`) ?? text;
    case "owed":
      return textOf(t, `owed.${text}`) ?? text;
    case "status":
      return textOf(t, `statuses.${text}`) ?? text.replaceAll("_", " ");
    case "method":
      return textOf(t, `methods.${text}`) ?? text;
    case "message":
      return textOf(t, `messages.${text}`) ?? text.replaceAll("_", " ");
    default:
      return text;
  }
}

function labelOf(t: Translate<"audit">, key: string): string {
  const words = key.replaceAll("_", " ");
  return textOf(t, `subjects.${key}`) ?? words.charAt(0).toUpperCase() + words.slice(1);
}
