import type { Failure } from "#lib/failure.ts";
import type { FaultName } from "#tools/testing/servers/fault-proxy.ts";
import { fillPathParameters, listEntryPoints } from "./entry-points.ts";
import type { OwnService } from "./own-product.ts";

const lost = { kind: "unavailable", outcome_unknown: true } as const;
const away = { kind: "unavailable", outcome_unknown: false } as const;

interface Meaning {
  /** The failures of a read and of a write that meet the fault. */
  read: Failure;
  write: Failure;
  /** Whether the service has executed the call. */
  isDone: boolean;
}

/** The failure that the dashboard reports for each fault. */
export const EXPECTED_FAILURES = {
  reset_before: { read: away, write: lost, isDone: false },
  html_500: {
    read: { ...away, why: "failing" },
    write: { ...lost, why: "failing" },
    isDone: false,
  },
  empty_502: {
    read: { ...away, why: "failing" },
    write: { ...lost, why: "failing" },
    isDone: false,
  },
  rate_limited: {
    read: { kind: "rate_limited", retry_after: 7 },
    write: { kind: "rate_limited", retry_after: 7 },
    isDone: false,
  },
  rate_limited_without_wait: {
    read: { kind: "rate_limited", retry_after: null },
    write: { kind: "rate_limited", retry_after: null },
    isDone: false,
  },
  unauthorized: {
    read: { kind: "unauthorized" },
    write: { kind: "unauthorized" },
    isDone: false,
  },
  reset_after: { read: away, write: lost, isDone: true },
  cut_json: {
    read: { ...away, why: "failing" },
    write: { ...lost, why: "failing" },
    isDone: true,
  },
} satisfies Partial<Record<FaultName, Meaning>>;

export const FAULT_NAMES = Object.keys(EXPECTED_FAILURES) as (keyof typeof EXPECTED_FAILURES)[];

/** Routes that need no answer of the billing service. */
const WITHOUT_SERVICE = new Set([
  "/connection",
  "/connection/copy",
  // Read from the search index once it is full.
  "/collection",
  "/products/amounts",
  // Read with an account token, which the tested seller lacks.
  "/products/catalogue",
  "/products/edited/[id]",
  "/products/export",
  "/products/move/[id]",
  "/payments/bill/[id]",
  "/payments/photo/[id]",
  "/payments/statement",
  "/payments/tasks",
  "/subscriptions/[id]/by-hand",
  "/subscriptions/[id]/corrections",
  "/products/notices/[id]",
  "/products/shared-links/[id]",
  "/collection/[id]",
  "/reports/reminders",
  "/reports/reminders/sent",
  "/reports/reminders/file",
  "/collection/setting",
  "/customers/[id]/subscriptions",
  "/customers/lookup",
  "/customers/tags",
  "/customers/export",
  "/customers/export/count",
  // A page leaves these data out if they cannot be read.
  "/customers/[id]/opt-outs",
  "/reports/[id]",
  "/reports/[id]/file",
  "/live",
  "/messages",
  "/overview/due",
  "/overview/soon",
  "/payments/file",
  "/payments/new",
  "/audit-log",
  "/messages/reminders",
  "/messages/planned",
  "/messages/sent",
  "/notifications",
  "/receiver",
  "/receiver/deliveries/[id]",
  "/connection/compare",
  "/subscriptions/counts",
  "/search",
  "/subscriptions/export",
  "/subscriptions/export/count",
  "/subscriptions/facets",
  "/subscriptions/views",
  "/subscriptions/views/counts",
  "/subscriptions/[id]/history",
  "/subscriptions/[id]/payments",
  "/subscriptions/bulk",
  "/subscriptions/bulk/[id]",
  "/subscriptions/bulk/[id]/file",
  "/subscriptions/import/template",
  "/subscriptions/import/[id]/progress",
  "/subscriptions/import/[id]/result",
  "/subscriptions/columns",
]);

/** Calls the service directly, without the dashboard and its faults. */
export type ApiReader = (path: string, body?: unknown) => Promise<Record<string, unknown>>;

export function apiOf({ url, key }: OwnService): ApiReader {
  return async (path, body) => {
    const response = await fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
    return (await response.json()) as Record<string, unknown>;
  };
}

/** The first id of each kind, by the noun of its path. */
export async function readFirstIds(api: ApiReader): Promise<Record<string, string>> {
  const first = async (noun: string, name: string) => {
    const { results } = await api(`/api/v1/${noun}/?status=active`);
    const [row] = results as Record<string, string | number>[];
    return String(row?.[name]);
  };
  const { webhook_id } = await newWebhook(api);
  const example = await api(`/sandbox/webhooks/${webhook_id}/example/`, {
    event: WEBHOOK_EVENT,
  });
  const { results } = await api("/sandbox/deliveries/");
  const [delivery] = results as { id: number }[];
  if (!delivery)
    throw new Error(`no delivery was made for the example ${JSON.stringify(example)}`);
  return {
    subscriptions: await first("subscriptions", "subscription_id"),
    products: await first("products", "product_id"),
    customers: await first("customers", "id"),
    deliveries: String(delivery.id),
  };
}

export const WEBHOOK_EVENT = "checkout.succeeded";
let made = 0;

/** Creates a webhook endpoint with a unique URL. */
export async function newWebhook(api: ApiReader) {
  made += 1;
  const endpoint_url = `http://127.0.0.1:9/hook-${made}`;
  const { id } = await api("/api/v1/webhooks/", { event: WEBHOOK_EVENT, endpoint_url });
  return { webhook_id: Number(id), endpoint_url };
}

const QUERIES: Record<string, string> = { raw: "?kind=customer" };
const FORESEEING = /^\/sandbox\/(?:forecast|preview)/;

/** Every route that reads from the service, with an id that it has. */
export async function readAddresses(api: ApiReader, seller: string): Promise<string[]> {
  const ids = await readFirstIds(api);
  return listEntryPoints()
    .filter(
      ({ kind, guard, method }) => kind === "route" && guard === "seller" && method === "GET",
    )
    .map(({ path }) => ({ path, below: path.replace("/api/[seller]/[mode]", "") }))
    .filter(({ below }) => !WITHOUT_SERVICE.has(below))
    .map(({ path, below }) => {
      const id = ids[below.split("/")[1] ?? ""] ?? "1";
      const query =
        QUERIES[below.split("/")[1] ?? ""] ?? (FORESEEING.test(below) ? "?by=P1D" : "");
      return fillPathParameters(path, { seller, mode: "test", id }) + query;
    });
}
