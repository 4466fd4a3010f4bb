import { METHODS } from "node:http";
import type { Description } from "../../openapi/document.ts";
import type { Operation } from "../../openapi/operation.ts";
import type { JsonSchema, SchemaName } from "../../openapi/schemas.ts";
import { randomOf, type Random } from "../../seed/random.ts";
import { mutateValue, HOSTILE_TEXTS, validValue, type FuzzedRecords } from "./values.ts";

export interface FuzzRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string | undefined;
}

interface Surroundings {
  description: Description;
  operations: Operation[];
  known: FuzzedRecords;
  keys: string[];
  token: string;
}

/** The `index`-th request of a series: valid, nearly valid or hostile, the same in every run. */
export function generateRequest(
  { description, operations, known, keys, token }: Surroundings,
  series: number,
  index: number,
): FuzzRequest {
  const random = randomOf(series, index);
  const operation = random.pick(
    random.chance(0.8)
      ? operations.filter(({ path }) => /^\/(api|account)\/v1\//.test(path))
      : operations,
  );
  const badness = random.pick([0, 0, 1, 1, 2] as const);
  const request: FuzzRequest = {
    method: operation.method.toUpperCase(),
    url: `${pathOf(operation, random, known)}${queryOf(operation, random, badness)}`,
    headers: {},
    body: undefined,
  };
  const usual = operation.credentials.includes("account_token") ? token : keys[0];
  if (!operation.isPublic)
    request.headers["authorization"] =
      `Bearer ${random.chance(0.8) ? usual : random.pick(keys)}`;
  if (random.chance(0.2)) request.headers["idempotency-key"] = `key ${random.integer(0, 500)}`;
  addBody(request, { operation, random, known, badness, description });
  return badness === 2 ? spoil(request, random) : request;
}

const NO_IMAGE = `${"0".repeat(64)}.webp`;

/** The kind of record whose ids a path takes; a subscription if none matches. */
const ID_OF: [part: string, kind: keyof FuzzedRecords][] = [
  ["customers", "customer_id"],
  ["webhooks", "webhook_id"],
  ["states", "state_id"],
  ["/keys/", "key_id"],
  ["/products/", "product_id"],
  ["/pay-return/charge/", "charge_id"],
  ["/pay-return/", "account_key"],
  ["/pay-notices/", "account_key"],
  ["/recorded-payments/", "recorded_id"],
  ["/refunds/{id}/", "refund_id"],
  ["/payments/{id}/", "payment_id"],
];

function pathOf({ path }: Operation, random: Random, known: FuzzedRecords): string {
  const [, kind] = ID_OF.find(([part]) => path.includes(part)) ?? [];
  const ids = known[kind ?? "subscription_id"];
  const id = random.chance(0.8)
    ? random.pick(ids)
    : encodeURIComponent(random.pick(HOSTILE_TEXTS).toWellFormed().slice(0, 300)) || "0";
  const name = (usual: string) => (random.chance(0.8) ? usual : id);
  return path
    .replace(/\{(id|key|charge)\}/, id)
    .replace("{provider}", name("fake"))
    .replace("{channel}", name("sms"))
    .replace("{file}", random.pick(["milk.svg", "none.svg", id]))
    .replace("{color}", random.pick(["1f5fbf.css", "red.css", id]))
    .replace("{image}", random.pick([NO_IMAGE, "none.webp", id]));
}

function queryOf({ parameters }: Operation, random: Random, badness: number): string {
  const query = new URLSearchParams();
  for (const { name, in: place, schema } of parameters)
    if (place === "query" && random.chance(0.4))
      query.append(
        name,
        badness > 0 && random.chance(0.5)
          ? random.pick(HOSTILE_TEXTS).slice(0, 2_000)
          : String(
              random.pick((schema["enum"] as string[] | undefined) ?? ["1", "2", "20", "100"]),
            ),
      );
  return query.size > 0 ? `?${query}` : "";
}

interface BodyPlan {
  operation: Operation;
  random: Random;
  known: FuzzedRecords;
  badness: number;
  description: Description;
}

function addBody(request: FuzzRequest, plan: BodyPlan) {
  const { operation, random, known, badness, description } = plan;
  const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  if (!type || !content) return;
  const schema = resolve(content.schema, description);
  const value = validValue(schema, "", random, known);
  const sent = badness > 0 ? mutateValue(value, random) : value;
  request.headers["content-type"] = type;
  request.body = type === "application/json" ? (JSON.stringify(sent) ?? "") : formText(sent);
}

const formText = (value: unknown) =>
  new URLSearchParams(
    Object.entries(Object(value) as object).map(([key, field]) => [
      key,
      typeof field === "string" ? field : (JSON.stringify(field) ?? ""),
    ]),
  ).toString();

const resolve = (schema: JsonSchema, { components }: Description): JsonSchema =>
  typeof schema["$ref"] === "string"
    ? (components.schemas[schema["$ref"].split("/").at(-1) as SchemaName] ?? schema)
    : schema;

export type RequestMutator = (request: FuzzRequest, random: Random) => void;

/** Ways to damage a request to any HTTP server. */
export const HTTP_MUTATORS: RequestMutator[] = [
  (request, random) =>
    (request.method = random.pick(METHODS.filter((one) => one !== "CONNECT"))),
  (request, random) => (request.url += random.pick(ODD_ENDINGS)),
  (request, random) =>
    (request.url = request.url.replace(/[^/]+/g, (part) =>
      random.chance(0.3) ? random.pick(ODD_SEGMENTS) : part,
    )),
  (request, random) => (request.headers["content-type"] = random.pick(ODD_TYPES)),
];

const MUTATORS: RequestMutator[] = [
  ...HTTP_MUTATORS,
  (request) => (request.url = request.url.replace(/\/(?=\?|$)/, "")),
  (request, random) => (request.headers[random.pick(ODD_HEADERS)] = random.pick(ODD_VALUES)),
  (request, random) => (request.body = random.pick(ODD_BODIES)),
];

function spoil(request: FuzzRequest, random: Random): FuzzRequest {
  random.pick(MUTATORS)(request, random);
  if (random.chance(0.3)) random.pick(MUTATORS)(request, random);
  if (request.body !== undefined) request.headers["content-type"] ??= "application/json";
  return request;
}

export const ODD_ENDINGS = [
  "?",
  "??",
  "?page=1&page=2",
  "?page[]=1",
  "?__proto__[x]=1&constructor=2",
  `?${"a=1&".repeat(1_500)}`,
  "?status=%00",
  "?page=%ff",
  "//",
  "/..",
  ";a=b",
  "%2f",
];
export const ODD_SEGMENTS = [
  "..",
  ".",
  "%2e%2e",
  "%00",
  "%ff",
  "%",
  "",
  "%F0%9F%8F%B4",
  "x".repeat(3_000),
];
const ODD_HEADERS = [
  "authorization",
  "idempotency-key",
  "accept",
  "expect",
  "x-forwarded-for",
  "x-http-method-override",
  "x-request-id",
  "cookie",
  "range",
  "if-none-match",
  "origin",
];
const ODD_VALUES = [
  "",
  "Bearer",
  "Bearer  ",
  "Basic YTpi",
  `Bearer ${"x".repeat(8_000)}`,
  "Bearer dbk_test_000000000000_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
  "x".repeat(300),
  "é",
  "*/*;q=nan",
  "bytes=0-",
  "null",
];
const ODD_TYPES = [
  "text/plain",
  "application/xml",
  "application/json; charset=utf-16",
  "application/json;charset=;;;",
  "APPLICATION/JSON",
  "application/vnd.api+json",
  "multipart/form-data; boundary=",
  "",
  "/",
];
export const ODD_BODIES = [
  "",
  " ",
  "{",
  "null",
  "[]",
  '"text"',
  "1e999",
  "-",
  "{}{}",
  "\ufeff{}",
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"pbp_id":"a","pbp_id":{"b":1}}',
  '{"client":{"phone":1e400}}',
  "[".repeat(10_000),
  `${"[".repeat(10_000)}${"]".repeat(10_000)}`,
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
  `{"client":"${"\\u0000".repeat(1_000)}"}`,
  "x".repeat(300_000),
];
