import { randomOf, type Random } from "../../../service/seed/random.ts";
import {
  ODD_BODIES,
  ODD_ENDINGS,
  ODD_SEGMENTS,
  HTTP_MUTATORS,
  type FuzzRequest,
  type RequestMutator,
} from "../../../service/testing/fuzz/request.ts";
import { HOSTILE_TEXTS } from "../../../service/testing/fuzz/values.ts";
import type { EntryPoint } from "../../../e2e/support/entry-points.ts";
import { fieldsOf, generateInput, LEAK_MARK } from "./values.ts";

/** The signed-in user of the requests, and the ids that the requests can name. */
export interface FuzzIdentity {
  /** The host and port as browsers send them. */
  host: string;
  cookie: string;
  seller: string;
  /** Ids of the user's own seller. */
  ids: string[];
  /** The code and record ids of another seller. */
  victim: { seller: string; ids: string[] };
}

const QUERY = (
  "page page_size status q search sort by from to since until view id for format columns " +
  "operation state event webhook subscription period days month callbackUrl error code token"
).split(" ");
const LIKELY = ["1", "2", "0", "-1", "1000000000", "101", "active", "P1D", "2026-11-01", "csv"];

/**
 * Generates the `index`-th request to an entry point: nearly valid, or hostile; the same for the
 * same series.
 */
export function generateRequest(
  entryPoint: EntryPoint,
  identity: FuzzIdentity,
  series: number,
  index: number,
): FuzzRequest {
  const random = randomOf(series, index);
  const path = pathOf(entryPoint, random, identity);
  const isAction = entryPoint.kind === "action";
  const request: FuzzRequest = {
    method: isAction ? "POST" : "GET",
    url: isAction ? path : path + queryOf(random),
    headers: headersOf(entryPoint, random, identity),
    body: isAction ? bodyOf(entryPoint, random, identity) : undefined,
  };
  if (random.chance(0.35)) random.pick(MUTATORS)(request, random);
  if (random.chance(0.004)) random.pick(HUGE)(request);
  return request;
}

function pathOf(
  { path }: EntryPoint,
  random: Random,
  { seller, ids, victim }: FuzzIdentity,
): string {
  const isOwnSeller = random.chance(0.8);
  const values: Record<string, () => string> = {
    seller: () => (isOwnSeller ? seller : random.pick([victim.seller, hostileSegment(random)])),
    mode: () => (random.chance(0.9) ? "test" : random.pick(["live", hostileSegment(random)])),
    id: () =>
      random.pick([
        () => random.pick(ids),
        () => random.pick(victim.ids),
        () => hostileSegment(random),
      ])(),
  };
  return path.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_whole, name: string) =>
    (values[name] ?? (() => hostileSegment(random)))(),
  );
}

const hostileSegment = (random: Random) =>
  random.chance(0.3)
    ? random.pick(ODD_SEGMENTS)
    : encodeURIComponent(random.pick(HOSTILE_TEXTS).toWellFormed().slice(0, 300)) || "0";

function queryOf(random: Random): string {
  const query = new URLSearchParams();
  for (const name of QUERY)
    if (random.chance(0.15))
      query.append(name, random.chance(0.5) ? random.pick(LIKELY) : hostileText(random));
  if (random.chance(0.1)) return random.pick(ODD_ENDINGS);
  return query.size > 0 ? `?${query}` : "";
}

const hostileText = (random: Random) => random.pick(HOSTILE_TEXTS).slice(0, 2_000);

function headersOf(entryPoint: EntryPoint, random: Random, { host, cookie }: FuzzIdentity) {
  const headers: Record<string, string> = { host };
  // Without a session most entry points only redirect.
  if (random.chance(0.93)) headers["cookie"] = cookie;
  if (entryPoint.kind === "action") {
    headers["origin"] = `http://${host}`;
    headers["next-action"] = entryPoint.actionId ?? "";
    headers["accept"] = "text/x-component";
    headers["content-type"] = "text/plain;charset=UTF-8";
  } else if (random.chance(0.3)) headers["rsc"] = "1";
  return headers;
}

function bodyOf(
  entryPoint: EntryPoint,
  random: Random,
  { seller, ids, victim }: FuzzIdentity,
): string {
  const known = random.chance(0.7) ? ids : victim.ids;
  const input = generateInput(fieldsOf(entryPoint.name.split(" ")[0] ?? ""), random, known);
  if (entryPoint.guard !== "seller") return JSON.stringify([input]) ?? "";
  const scope = random.chance(0.85)
    ? { seller, mode: "test" }
    : random.pick<unknown>([
        { seller: victim.seller, mode: "test" },
        { seller, mode: hostileText(random) },
        { seller: hostileText(random), mode: "test" },
        null,
        input,
      ]);
  return JSON.stringify([scope, input]) ?? "";
}

const MUTATORS: RequestMutator[] = [
  ...HTTP_MUTATORS,
  (request, random) => (request.headers[random.pick(ODD_HEADERS)] = random.pick(ODD_VALUES)),
  (request, random) => {
    if (request.method === "GET") request.method = "POST";
    request.body = random.pick(ODD_BODIES);
  },
  (request, random) => {
    request.method = "POST";
    Object.assign(request, asForm(random));
    request.headers["content-type"] = random.pick(FORM_TYPES);
  },
  (request, random) => {
    const body = request.body ?? "";
    request.body = body.slice(0, random.integer(0, body.length));
  },
];

const BOUNDARY = `----${LEAK_MARK}`;
const FORM_TYPES = [
  `multipart/form-data; boundary=${BOUNDARY}`,
  "multipart/form-data; boundary=other",
  "multipart/form-data",
  "application/x-www-form-urlencoded",
];
const FORM_NAMES = [
  "0",
  "1",
  "1_0",
  "$ACTION_ID_",
  "$ACTION_REF_1",
  "$ACTION_1:0",
  "$ACTION_KEY",
];

/** The body of a server action that is sent by a form without scripts. */
function asForm(random: Random): Pick<FuzzRequest, "body"> {
  const parts = Array.from({ length: random.integer(0, 4) }, () => {
    const name = random.pick(FORM_NAMES) + (random.chance(0.2) ? hostileText(random) : "");
    const value = random.pick(['["$K1"]', "[]", "{", '"$0"', hostileText(random)]);
    return `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  });
  return { body: `${parts.join("")}--${BOUNDARY}${random.chance(0.8) ? "--" : ""}\r\n` };
}

const HUGE: ((request: FuzzRequest) => void)[] = [
  (request) => {
    request.method = "POST";
    request.body = `["${"x".repeat(10_000_000)}"]`;
  },
  (request) => (request.headers["x-large"] = "x".repeat(1_000_000)),
  (request) => {
    request.method = "POST";
    request.body = `${"[".repeat(10_000)}${"]".repeat(10_000)}`;
  },
];

const ODD_HEADERS = [
  "next-router-state-tree",
  "next-router-prefetch",
  "next-router-segment-prefetch",
  "next-url",
  "next-action",
  "rsc",
  "x-nextjs-data",
  "x-middleware-subrequest",
  "x-forwarded-host",
  "x-forwarded-for",
  "x-invoke-path",
  "x-matched-path",
  "x-http-method-override",
  "x-phone",
  "origin",
  "sec-fetch-site",
  "cookie",
  "accept-language",
  "range",
  "if-none-match",
  "last-event-id",
  "expect",
];
const ODD_VALUES = [
  "",
  "1",
  "null",
  "é",
  "%00",
  "[[[",
  '["",{"children":["x"]}]',
  encodeURIComponent('["",{},null,null,true]'),
  "https://evil.example",
  "cross-site",
  "src/middleware:src/middleware:middleware",
  "bytes=0-",
  "x".repeat(3_000),
  "*/*;q=nan",
  "__proto__",
];
