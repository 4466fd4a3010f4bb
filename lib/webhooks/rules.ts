import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { EndpointNotice } from "#contract/deliveries.ts";
import type { Webhook } from "#contract/webhooks.ts";
import { describeFailure, isAnswerLost, type Failure, type FailureText } from "#lib/failure.ts";
import type { Translate, TranslateAll } from "#lib/i18n/message.ts";

/** Days for which deliveries that were given up are reported. */
export const GIVEN_UP_REPORT_DAYS = 7;

/** An event at a URL; several webhooks for it are duplicates. */
export interface WebhookEventRow {
  event: string;
  webhooks: Webhook[];
}

/** A webhook has one event, so a URL with several events has several webhooks. */
export interface Endpoint {
  endpoint_url: string;
  /** First all kinds that can be registered, with or without webhooks; then the others. */
  events: WebhookEventRow[];
}

/**
 * Groups webhooks by URL, the newest URL first; adding an event does not change its place.
 * @param kinds what can be registered
 */
export function groupByAddress(
  webhooks: readonly Webhook[],
  kinds: readonly string[] = SPECIFIED_EVENTS,
): Endpoint[] {
  const groups = Map.groupBy(webhooks, ({ endpoint_url }) => endpoint_url);
  return [...groups.values()]
    .toSorted((a, b) => firstId(b) - firstId(a))
    .map((own) => ({
      endpoint_url: own[0]?.endpoint_url ?? "",
      events: eventRows(own, kinds),
    }));
}

const firstId = (webhooks: Webhook[]) => Math.min(...webhooks.map(({ id }) => id));

function eventRows(webhooks: Webhook[], kinds: readonly string[]): WebhookEventRow[] {
  const byEvent = Map.groupBy(webhooks, ({ event }) => event);
  const others = [...byEvent.keys()].filter((event) => !kinds.includes(event)).toSorted();
  return [...kinds, ...others].map((event) => ({
    event,
    webhooks: (byEvent.get(event) ?? []).toSorted((a, b) => a.id - b.id),
  }));
}

/** All webhooks of a URL, in the order of its events. */
export function webhooksOf({ events }: Endpoint): Webhook[] {
  return events.flatMap(({ webhooks }) => webhooks);
}

/** The calls for the webhooks, one for each, to be run one after the other. */
export const webhookSteps = <Told, Result>(
  webhooks: Webhook[],
  run: (webhook: Webhook, tell: (value: Told) => void) => Promise<Result>,
) =>
  webhooks.map((webhook) => ({
    key: String(webhook.id),
    label: `${webhook.event} (${webhook.id})`,
    run: (tell: (value: Told) => void) => run(webhook, tell),
  }));

export function countActiveEvents({ events }: Endpoint): number {
  return events.filter(({ webhooks }) => webhooks.some(({ is_active }) => is_active)).length;
}

const EVENTS: Record<
  string,
  "succeeded" | "failed" | "changed" | "refunded" | "refundFailed" | "disputed"
> = {
  "checkout.succeeded": "succeeded",
  "checkout.failed": "failed",
  "subscription.status_changed": "changed",
  "payment.refunded": "refunded",
  "payment.refund_failed": "refundFailed",
  "payment.disputed": "disputed",
};

export function describeEvent(t: Translate<"webhooks">, event: string): string {
  return t(`event.${EVENTS[event] ?? "unknown"}`);
}

/** Why the service switched the event off; null if it is on, or a user switched it off. */
export function noticeFor(
  webhook: Webhook,
  notices: readonly EndpointNotice[] | null,
): EndpointNotice | null {
  if (webhook.is_active) return null;
  return notices?.find(({ webhook_id }) => webhook_id === webhook.id) ?? null;
}

/** Events that the URL would receive twice if these webhooks moved there. */
export function findDuplicateEvents(
  endpoint_url: string,
  moved: readonly Webhook[],
  all: readonly Webhook[],
): string[] {
  const ids = new Set(moved.map(({ id }) => id));
  const there = all.filter((one) => one.endpoint_url === endpoint_url && !ids.has(one.id));
  const events = new Set(there.map(({ event }) => event));
  return [...new Set(moved.map(({ event }) => event))].filter((event) => events.has(event));
}

/** The URL's host. Leaves out path and query, which may contain a secret. Empty if unreadable. */
export function hostOf(endpoint_url: string): string {
  return URL.parse(endpoint_url)?.host ?? "";
}

export const EXAMPLE_ENDPOINT_URL = "https://shop.example/webhooks";

export type AddressProblem = "missing" | "incomplete" | "credentials";

/** Why the service would refuse the URL; null if it may accept it. */
export function addressProblemOf(text: string): AddressProblem | null {
  if (text === "") return "missing";
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return "incomplete";
  return url.username || url.password ? "credentials" : null;
}

/**
 * Whether the URL was refused, and every other event would be too. A refusal without a field counts
 * as one, unless the webhook exists already.
 */
export const isAddressRefused = (failure: Failure): boolean =>
  failure.kind === "conflict"
    ? failure.status === undefined || failure.status === 422
    : failure.kind === "validation" && !("event" in failure.fields);

export type WebhookWrite = "create" | "update" | "update_by_id" | "rotate" | "tool";

/** Describes a failed write, with texts of its own where the general ones would mislead. */
export function describeWriteFailure(
  t: TranslateAll,
  failure: Failure,
  write: WebhookWrite,
): FailureText {
  const { kind } = failure;
  if (kind === "unanswered" || isAnswerLost(failure))
    return { title: t("webhooks.failure.lost"), advice: t(`webhooks.lostAnswer.${write}`) };
  if (kind === "validation") {
    const told = Object.values(failure.fields).flat().join(" ") || failure.detail;
    return {
      title: told ?? t("webhooks.failure.refused"),
      advice: t("webhooks.failure.unchanged"),
    };
  }
  if (kind === "not_found" || kind === "not_offered")
    return {
      title: t(`webhooks.absent.${write}`),
      advice: t(`webhooks.absentAdvice.${write}`),
    };
  return describeFailure(t, failure, "write");
}
