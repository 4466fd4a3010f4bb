import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Subscription } from "#contract/subscriptions.ts";
import type { DelayCommand } from "./delayed-service.ts";

const HEADINGS = [
  "Buyer",
  "Phone",
  "Product",
  "List price",
  "Status",
  "Next billing",
  "Created",
];

/**
 * Answers `/plain` and `/plain/<id>`: the list and the record of the dashboard as plain HTML without styles and
 * scripts, to compare with. The links have the attributes of the dashboard's own.
 */
export async function sendPlain(
  api: DelayCommand,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://plain");
  const id = pathname.split("/")[2];
  const body = id ? await recordPage(api, id) : await listPage(api, searchParams);
  const page = `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Subscriptions</title><main>${body}</main>`;
  response.writeHead(200, {
    "content-type": "text/html; charset=utf-8",
    "content-encoding": "gzip",
    // Like every page of a signed-in user.
    "cache-control": "private, no-store",
  });
  response.end(gzipSync(page));
}

async function read<Answer>(
  { target, key, hold }: DelayCommand,
  path: string,
): Promise<Answer> {
  const answer = await fetch(`${target}/api/v1/subscriptions/${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const read = (await answer.json()) as Answer;
  await delay(hold);
  return read;
}

async function listPage(api: DelayCommand, asked: URLSearchParams): Promise<string> {
  const page = Number(asked.get("page") ?? 1);
  const status = asked.get("status");
  const query = new URLSearchParams({ page: String(page), ...(status ? { status } : {}) });
  const { next, results } = await read<{ next: string | null; results: Subscription[] }>(
    api,
    `?${query}`,
  );
  // The API cannot sort, so only the rows of this page are sorted.
  if (asked.has("sort"))
    results.sort((one, other) => one.client.full_name.localeCompare(other.client.full_name));
  const link = (words: string, changes: Record<string, string>, attributes = "") => {
    const to = new URLSearchParams({ ...Object.fromEntries(asked), ...changes });
    return `<a ${attributes} href="/plain?${escape(String(to))}">${words}</a> `;
  };
  const filters = ["active", "due", "cancelled", "inactive"].map((to) =>
    link(to, { status: to, page: "1" }),
  );
  const [buyer, ...others] = HEADINGS;
  const heads = [link(buyer ?? "", { sort: "buyer", page: "1" }), ...others];
  const rows = results.map((row) => {
    const [name, ...cells] = cellsOf(row).map(escape);
    const id = row.subscription_id;
    return `<tr data-row="${id}"><td><a data-row-link href="/plain/${id}">${name}</a><td>${cells.join("<td>")}`;
  });
  const previous = page > 1 ? link("Previous", { page: String(page - 1) }, "rel=prev") : "";
  const following = next ? link("Next", { page: String(page + 1) }, "rel=next") : "";
  return `<h1>Subscriptions</h1><nav>${filters.join("")}</nav><table><tr><th>${heads.join("<th>")}${rows.join("")}</table>${previous}${following}`;
}

async function recordPage(api: DelayCommand, id: string): Promise<string> {
  const [name = "", ...cells] = cellsOf(await read<Subscription>(api, `${id}/`)).map(escape);
  const facts = cells.map((cell, at) => `<dt>${HEADINGS[at + 1]}<dd>${cell}`);
  return `<a href="/plain">Subscriptions</a><h1>${name}</h1><dl>${facts.join("")}</dl>`;
}

const cellsOf = ({ client, product, status, ...row }: Subscription) => [
  client.full_name,
  client.phone,
  `${product.name} ${product.plan_name} ${product.label}`,
  `${product.currency} ${product.price}`,
  status,
  row.next_billing_cycle?.slice(0, 10) ?? "",
  row.created_at.slice(0, 10),
];

const escape = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
