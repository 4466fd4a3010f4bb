import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  CUSTOMERS,
  createdSubscription,
  makeSubscriptions,
  momentInDays,
  PRODUCTS,
  YOGA_PRODUCT,
  type OtherSubscription,
} from "./other-records.ts";

/**
 * A billing service that follows the specification, but decides everything the specification leaves
 * open differently from service/; it shares no code with it.
 */
export interface OtherService {
  url: string;
  key: string;
  /** Method and path of every request, in order. */
  asked: string[];
  /** Requests to the host that `next` names: a client must never send its key there. */
  lured: string[];
  close: () => Promise<void>;
}

export async function startOtherService(): Promise<OtherService> {
  const lured: string[] = [];
  const trap = createServer((request, response) => {
    lured.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const elsewhere = await listen(trap);
  const asked: string[] = [];
  const world: World = {
    key: "oth_7f3c5a90-not-like-ours",
    elsewhere,
    subscriptions: makeSubscriptions(),
    webhook: { id: "9", event: "invoice.created", endpoint_url: "https://shop.example/hook" },
  };
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    void answer(world, request).then(
      (given) => send(response, given),
      () => send(response, page404()),
    );
  });
  const url = await listen(server);
  return {
    url,
    key: world.key,
    asked,
    lured,
    close: async () => void (await Promise.all([server, trap].map(stop))),
  };
}

interface World {
  key: string;
  elsewhere: string;
  subscriptions: OtherSubscription[];
  webhook: Record<string, unknown>;
}

interface Given {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

const ok = (body: unknown): Given => ({ status: 200, body });
const refused = (body: unknown, status = 400): Given => ({ status, body });
const page404 = (): Given => ({ status: 404, body: "<!doctype html><h1>Not Found</h1>" });
const SLOW_MS = 60;

async function answer(world: World, request: IncomingMessage): Promise<Given> {
  const url = new URL(request.url ?? "/", "http://other.invalid");
  const { method = "GET" } = request;
  // A single record takes longest, so that its page first shows the row from the list.
  await delay(/\/subscriptions\/[^/]+\/$/.test(url.pathname) ? 10 * SLOW_MS : SLOW_MS);
  if (request.headers.authorization !== `Bearer ${world.key}`)
    return refused({ detail: "Who are you?", code: "unknown_key" }, 401);
  if (!url.pathname.endsWith("/"))
    return { status: 301, body: "", headers: { location: `${url.pathname}/${url.search}` } };
  const body = method === "GET" ? {} : await readBody(request);
  return route(world, { method, path: url.pathname, query: url.searchParams, body });
}

function route(world: World, asked: Asked): Given | Promise<Given> {
  const [, api, version, noun = "", ...rest] = asked.path.split("/").slice(0, -1);
  if (`${api}/${version}` !== "api/v1") return page404();
  const call = `${asked.method} ${noun}${rest.map((part) => `/${part}`).join("")}`;
  if (call === "GET products") return ok(pageOf(world, PRODUCTS, asked));
  if (call === "GET subscriptions") return listSubscriptions(world, asked);
  if (call === "POST subscriptions") return create(world, asked);
  if (call === "POST subscriptions/update-billing-cycle") return reschedule(world, asked);
  if (call === "GET customers") return ok(pageOf(world, CUSTOMERS, asked));
  const [id = "", verb = ""] = rest;
  if (noun === "subscriptions") return oneSubscription(world, id, `${asked.method} ${verb}`);
  if (noun === "customers") return oneCustomer(id);
  if (noun === "webhooks") return webhooks(world, id, asked);
  return page404();
}

/**
 * A page of rows. Beyond the last page it is empty; `next` names another host, as behind a
 * misconfigured proxy.
 */
function pageOf({ elsewhere }: World, rows: unknown[], { path, query }: Asked) {
  const page = Number(query.get("page") ?? 1);
  const size = Number(query.get("page_size") ?? 20);
  const to = (target: number) =>
    `${elsewhere}${path}?${new URLSearchParams({ ...Object.fromEntries(query), page: String(target) })}`;
  return {
    count: rows.length,
    next: page * size < rows.length ? to(page + 1) : null,
    previous: page > 1 ? to(page - 1) : null,
    results: rows.slice((page - 1) * size, page * size),
    took_ms: SLOW_MS,
  };
}

function listSubscriptions(world: World, asked: Asked): Given {
  const status = asked.query.get("status");
  const rows = world.subscriptions.filter((row) => status === null || row.status === status);
  // One counter is text, one is missing, and the total is one less than the count.
  return ok({
    ...pageOf(world, rows, asked),
    total_subscriptions: rows.length - 1,
    due_subscriptions: "1",
    inactive_subscriptions: 1,
  });
}

const find = ({ subscriptions }: World, id: unknown) =>
  subscriptions.find(({ subscription_id }) => subscription_id === id);

const isOneTime = (row: OtherSubscription) => row["purchase_type"] === "one_off";

function oneSubscription(world: World, id: string, call: string): Given {
  const row = find(world, id);
  if (!row) return page404();
  if (call === "GET ") return ok(row);
  if (call === "POST cancel") return cancel(row);
  if (call === "POST resume")
    return refused({ detail: "Nothing can be resumed here.", code: "no_resume" }, 409);
  return refused({ detail: "Not like this." }, 405);
}

/** Cancels at once instead of at the period's end. */
function cancel(row: OtherSubscription): Given {
  if (isOneTime(row)) return refused({ non_field_errors: ["A single sale cannot end."] }, 422);
  Object.assign(row, {
    status: "cancelled",
    next_billing_cycle: null,
    current_period_end: null,
  });
  return ok({ message: "" });
}

function reschedule(world: World, { body }: Asked): Given {
  const row = find(world, body["subscription_id"]);
  const day = String(body["next_billing_cycle"]);
  if (!row) return refused({ subscription_id: "Unknown here." });
  if (isOneTime(row)) return refused({ non_field_errors: ["A single sale has no next day."] });
  if (Date.parse(day) - Date.now() > 300 * 86_400_000)
    return refused({ non_field_errors: ["Not further than 300 days ahead."] });
  row.next_billing_cycle = `${day}T00:00:00+05:45`;
  row.current_period_end = row.next_billing_cycle;
  return ok({ message: "moved", status: "ok" });
}

function create(world: World, { body }: Asked): Given {
  const client = body["client"] as Record<string, unknown>;
  if (String(client["phone"]).startsWith("97"))
    return refused({
      client: { phone: ["This operator is not served."], address: { 0: "Too far away." } },
      api_usage_type: "None is set up.",
    });
  const periods = YOGA_PRODUCT.plan.flatMap(({ billing_periods }) => billing_periods);
  const chosen = periods.find(({ pbp_id }) => pbp_id === body["pbp_id"]);
  if (!chosen) return refused({ pbp_id: ["No such price."] });
  const waiting = world.subscriptions.find(
    (one) => one.status === "pending_checkout" && one.client["phone"] === client["phone"],
  );
  const row = waiting ?? createdSubscription(client, chosen.pbp_id);
  if (!waiting) world.subscriptions.unshift(row);
  return refused(
    {
      subscription_id: row.subscription_id,
      status: "pending_checkout",
      checkout_url: `https://checkout.other.example/pay/${row.subscription_id}`,
      expires_at: momentInDays(1),
    },
    201,
  );
}

/** Answers an unknown customer with 400 instead of 404. */
function oneCustomer(id: string): Given {
  const row = CUSTOMERS.find((one) => String(one["id"]) === id);
  return row ? ok(row) : refused({ detail: "No Customer matches the given query." });
}

/** Offers neither list nor create; an endpoint can be changed by its id. */
function webhooks({ webhook }: World, id: string, { method, body }: Asked): Given {
  if (id === "") return method === "GET" ? page404() : refused({ detail: "Not offered." }, 405);
  if (id !== webhook["id"]) return page404();
  if (method !== "PATCH") return refused({ detail: "Not like this." }, 405);
  if (String(body["endpoint_url"]).includes("blocked")) return refused({ url: ["Blocked."] });
  Object.assign(webhook, body);
  return ok({ ...webhook, owner: "you" });
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const part of request) text += part;
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(response: ServerResponse, { status, body, headers = {} }: Given) {
  const isText = typeof body === "string";
  response.writeHead(status, {
    "content-type": isText ? "text/html" : "application/json; charset=utf-8",
    ...headers,
  });
  response.end(isText ? body : JSON.stringify(body));
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function stop(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}
