import type { ProxiedRequest } from "#tools/testing/servers/fault-proxy.ts";
import { listEntryPoints } from "./entry-points.ts";
import { WEBHOOK_EVENT, readFirstIds, newWebhook, type ApiReader } from "./fault-reads.ts";

/** A write of the service and how this test performs it. */
export interface TestedWrite {
  action: string;
  strikes: (request: ProxiedRequest) => boolean;
  /** Creates the records that the write needs. @returns its input */
  prepare: (api: ApiReader) => Promise<unknown>;
  /** Counts how often the write was done; missing if it can be repeated without harm. */
  countDone?: (api: ApiReader, input: never) => Promise<number>;
  /** Whether the page learns the outcome after a lost answer. */
  findsOut?: boolean;
  /** Whether a second call is refused, because the write has already been done. */
  isOnce?: boolean;
  /** Whether the write replaces all data, so that it is only tested with faults that prevent it. */
  isDrastic?: boolean;
}

interface Row {
  subscription_id: string;
  status: string;
  next_billing_cycle: string | null;
  client: { phone: string };
}

const rowsOf = async (api: ApiReader, status: string) => {
  const page = await api(`/api/v1/subscriptions/?page_size=100&status=${status}`);
  return page["results"] as Row[];
};

const statusOf = async (api: ApiReader, { subscription_id }: { subscription_id: string }) =>
  (await api(`/api/v1/subscriptions/${subscription_id}/`))["status"];

const used = new Set<string>();

/** An active subscription that no other case has changed. */
async function takeActive(api: ApiReader): Promise<{ subscription_id: string }> {
  const rows = await rowsOf(api, "active");
  const row = rows.find(
    ({ subscription_id: id, next_billing_cycle }) => next_billing_cycle && !used.has(id),
  );
  if (!row) throw new Error("no active subscription is left");
  used.add(row.subscription_id);
  return { subscription_id: row.subscription_id };
}

const isPost = (pattern: RegExp) => (request: ProxiedRequest) =>
  request.method === "POST" && pattern.test(request.path);

export async function countSubscriptionsOfPhone(
  api: ApiReader,
  phone: string,
): Promise<number> {
  const rows = await rowsOf(api, "pending_checkout");
  return rows.filter(({ client }) => client.phone === phone).length;
}

let made = 0;

async function newSubscription(api: ApiReader) {
  const { results } = await api("/api/v1/products/");
  const plans = (results as { plan: { billing_periods: { pbp_id: string }[] }[] }[]).flatMap(
    ({ plan }) => plan,
  );
  made += 1;
  const phone = `9765${String(Date.now() % 10_000).padStart(4, "0")}${String(made).padStart(2, "0")}`;
  const client = { phone, full_name: "Asha", email: "asha@example.com", address: "Patan" };
  return {
    pbp_id: plans[0]?.billing_periods[0]?.pbp_id,
    return_url: "https://shop.example/",
    client,
  };
}

interface Webhook {
  id: number;
  endpoint_url: string;
  is_active: boolean;
}

const webhooksOf = async (api: ApiReader) =>
  (await api("/api/v1/webhooks/?page_size=100"))["results"] as Webhook[];

/** Deletes the states saved by hand, of which there can be only ten. */
async function deleteStates(api: ApiReader) {
  const { results } = await api("/sandbox/states/");
  for (const { id, kind } of results as { id: number; kind: string }[])
    if (kind === "saved") await api(`/sandbox/states/${id}/delete/`, {});
}

async function newState(api: ApiReader) {
  await deleteStates(api);
  return Number((await api("/sandbox/states/", { name: "Before the fault" }))["id"]);
}

const isSandbox = isPost(/^\/sandbox\/(?:clock|scenarios|reset|states)\//);

const isAsWished = (isIt: boolean) => (isIt ? 1 : 0);

export const TESTED_WRITES: TestedWrite[] = [
  {
    action: "createSubscriptionAction",
    strikes: isPost(/\/subscriptions\/$/),
    prepare: newSubscription,
    countDone: (api, { client }: { client: { phone: string } }) =>
      countSubscriptionsOfPhone(api, client.phone),
  },
  {
    action: "cancelSubscriptionAction",
    strikes: isPost(/\/cancel\/$/),
    prepare: takeActive,
    countDone: async (api, input: Row) =>
      isAsWished((await statusOf(api, input)) === "pending_cancellation"),
  },
  {
    action: "resumeSubscriptionAction",
    strikes: isPost(/\/resume\/$/),
    prepare: async (api) => {
      const row = await takeActive(api);
      await api(`/api/v1/subscriptions/${row.subscription_id}/cancel/`, {});
      return row;
    },
    countDone: async (api, input: Row) => isAsWished((await statusOf(api, input)) === "active"),
  },
  {
    action: "rescheduleSubscriptionAction",
    strikes: isPost(/\/update-billing-cycle\/$/),
    prepare: async (api) => ({ ...(await takeActive(api)), next_billing_cycle: "2031-05-06" }),
    countDone: async (api, { subscription_id }: Row) => {
      const row = await api(`/api/v1/subscriptions/${subscription_id}/`);
      return isAsWished(/^2031-05-0[56]T/.test(String(row["next_billing_cycle"])));
    },
  },
  {
    action: "createWebhookAction",
    strikes: isPost(/\/webhooks\/$/),
    prepare: async () => {
      made += 1;
      return { event: WEBHOOK_EVENT, endpoint_url: `http://127.0.0.1:9/new-${made}` };
    },
    countDone: async (api, { endpoint_url }: Webhook) =>
      (await webhooksOf(api)).filter((one) => one.endpoint_url === endpoint_url).length,
    findsOut: true,
  },
  {
    action: "updateWebhookAction",
    strikes: ({ method }) => method === "PATCH",
    prepare: async (api) => {
      const { webhook_id: id, endpoint_url } = await newWebhook(api);
      return { id, endpoint_url, event: WEBHOOK_EVENT, is_active: false };
    },
    countDone: async (api, { id }: Webhook) =>
      (await webhooksOf(api)).filter((one) => one.id === id && !one.is_active).length,
  },
  {
    action: "removeWebhookAction",
    strikes: ({ method }) => method === "PATCH",
    prepare: async (api) => {
      const { webhook_id: id, endpoint_url } = await newWebhook(api);
      return { id, endpoint_url, event: WEBHOOK_EVENT };
    },
    countDone: async (api, { id }: Webhook) =>
      (await webhooksOf(api)).filter((one) => one.id === id && !one.is_active).length,
  },
  {
    action: "rotateSecretAction",
    strikes: isPost(/\/rotate-secret\/$/),
    prepare: async (api) => ({ id: (await newWebhook(api)).webhook_id }),
  },
  {
    action: "sendExampleAction",
    strikes: isPost(/\/example\/$/),
    prepare: async (api) => ({
      webhook_id: (await newWebhook(api)).webhook_id,
      event: WEBHOOK_EVENT,
    }),
  },
  {
    action: "recoverDeliveriesAction",
    strikes: isPost(/\/recover\/$/),
    prepare: async (api) => ({
      webhook_id: (await newWebhook(api)).webhook_id,
      since: "2026-01-01T00:00",
    }),
  },
  {
    action: "resendDeliveryAction",
    strikes: isPost(/\/resend\/$/),
    prepare: async (api) => ({ id: Number((await readFirstIds(api))["deliveries"]) }),
  },
  {
    action: "simulatePaymentAction",
    strikes: isPost(/\/pay\/$/),
    prepare: async (api) => {
      const created = await api("/api/v1/subscriptions/", await newSubscription(api));
      return { subscription_id: created["subscription_id"], outcome: "decline" };
    },
  },
  {
    action: "moveClockAction",
    strikes: isSandbox,
    prepare: async () => {
      made += 1;
      return { to: new Date(Date.now() + made * 3_600_000).toISOString() };
    },
    isOnce: true,
  },
  { action: "setClockRightAction", strikes: isSandbox, prepare: async () => ({}) },
  {
    action: "startScenarioAction",
    strikes: isSandbox,
    prepare: async () => ({ name: "some_due" }),
    isDrastic: true,
  },
  {
    action: "resetSandboxAction",
    strikes: isSandbox,
    prepare: async () => ({}),
    isDrastic: true,
  },
  {
    action: "saveStateAction",
    strikes: isSandbox,
    prepare: async (api) => {
      await deleteStates(api);
      return { name: "Before the fault" };
    },
  },
  {
    action: "restoreStateAction",
    strikes: isPost(/\/restore\/$/),
    prepare: async (api) => ({ id: await newState(api) }),
    isDrastic: true,
  },
  {
    action: "deleteStateAction",
    strikes: isPost(/\/delete\/$/),
    prepare: async (api) => ({ id: await newState(api) }),
    isOnce: true,
  },
];

/**
 * Actions that do not write to the service, or only with an account token, which the tested seller lacks;
 * the receiver registers as createWebhookAction does. Other tests cover rows of a run that fail:
 * `lib/imports/run-step.db.test.ts`, `lib/subscriptions/bulk`.
 */
const OF_THE_DASHBOARD =
  /^lib\/(?:account|auth|collection|connection|customers|imports|keys|messages|search-index|notifications|payments|products|receiver|reminders|sellers|subscriptions\/views|tags|team|verification)\/|BulkRunAction$|(?:waiveDebt|answerBuyerRequest)Action$/;

/** Actions that write to the service and are missing in the tables of this file. */
export function listUntestedWrites(): string[] {
  const tried = new Set(TESTED_WRITES.map(({ action }) => action));
  return listEntryPoints()
    .filter(({ kind, guard, name }) => kind === "action" && guard === "seller" && name !== "")
    .map(({ name }) => name)
    .filter((name) => !OF_THE_DASHBOARD.test(name) && !tried.has(name.split(" ")[1] ?? ""));
}
