import { readCurl, type Header } from "../shell/rules.ts";

/** A delivery as somebody pasted it. */
export interface Pasted {
  form: "curl" | "http" | "json" | "log";
  url: string | null;
  headers: Header[];
  body: string;
  /** Only its parsed value was there: its own spelling is lost. */
  was_parsed: boolean;
}

/** Reads a request in any form that servers and tools log; null where there is nothing to read. */
export function readDelivery(text: string): Pasted | null {
  if (text.trim() === "") return null;
  return fromCurl(text) ?? fromJson(text) ?? fromHttp(text) ?? fromLog(text);
}

function fromCurl(text: string): Pasted | null {
  const request = readCurl(text);
  return request && { form: "curl", was_parsed: false, ...request };
}

const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*(.*)$/;
const REQUEST_LINE = /^[A-Z]+ (\S+)(?: HTTP\/[\d.]+)?$/;
/** curl -v and some proxies mark what they send. */
const MARK = /^(?:> |< |\* )/;

/** A request line (or none), lines of headers, an empty line, and the body to its end. */
function fromHttp(text: string): Pasted | null {
  const lines = text.replace(/^\s*\n/, "").split("\n");
  const read = (line: string | undefined) => (line ?? "").replace(/\r$/, "").replace(MARK, "");
  let at = 0;
  const url = REQUEST_LINE.exec(read(lines[0]))?.[1] ?? null;
  if (url !== null) at++;
  const headers: Header[] = [];
  for (; at < lines.length; at++) {
    const [, name, value] = HEADER_LINE.exec(read(lines[at])) ?? [];
    if (name === undefined || value === undefined) break;
    headers.push({ name, value: value.trim() });
  }
  if (headers.length === 0 || headers.some(isPrintedValue)) return null;
  // One line alone is more likely some log's.
  if (headers.length === 1 && url === null && at >= lines.length) return null;
  const isParted = /^>?\s*$/.test(read(lines[at]));
  const body = lines.slice(isParted ? at + 1 : at).join("\n");
  // A line that is neither header nor body belongs to some log.
  if (!isParted && body !== "" && !/^\s*[[{"]/.test(body)) return null;
  const host = headers.find(({ name }) => name.toLowerCase() === "host")?.value;
  return {
    form: "http",
    url: url?.startsWith("/") && host ? `https://${host}${url}` : url,
    headers,
    body,
    was_parsed: false,
  };
}

/** "Headers: {…}" is no header: somebody printed all of them. */
const isPrintedValue = ({ name, value }: Header) =>
  /^(?:raw[_-]?)?(?:headers?|body|payload)$/i.test(name) && /^["'`]?[[{]/.test(value);

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const HEADER_KEYS = ["headers", "Headers", "rawHeaders", "header", "multiValueHeaders"];
const BODY_KEYS = ["rawBody", "raw_body", "body", "Body", "content", "payload", "data", "text"];

/** An object with headers and a body, as functions and request inspectors log it. */
function fromJson(text: string): Pasted | null {
  let logged: unknown;
  try {
    logged = JSON.parse(text);
  } catch {
    return null;
  }
  const found = withHeaders(Array.isArray(logged) ? logged[0] : logged, 3);
  if (!found) return null;
  const headers = HEADER_KEYS.map((key) => headersOf(found[key])).find(
    (list) => list.length > 0,
  );
  const body = bodyOf(found);
  const url = [found.url, found.uri, found.endpoint].find((value) => typeof value === "string");
  return { form: "json", url: url ?? null, headers: headers ?? [], ...body };
}

/** The object that holds headers, however deep a tool has put it. */
function withHeaders(value: unknown, depth: number): Fields | null {
  if (!isFields(value)) return null;
  if (HEADER_KEYS.some((key) => headersOf(value[key]).length > 0)) return value;
  if (depth === 0) return null;
  for (const inner of Object.values(value)) {
    const found = withHeaders(inner, depth - 1);
    if (found) return found;
  }
  return null;
}

/** {name: value}, {name: [value]}, [{name, value}], [[name, value]] or [name, value, name, value] */
function headersOf(value: unknown): Header[] {
  if (isFields(value))
    return Object.entries(value).flatMap(([name, of]) => {
      const text = Array.isArray(of) ? of.join(" ") : of;
      return typeof text === "string" || typeof text === "number"
        ? [{ name, value: String(text) }]
        : [];
    });
  if (!Array.isArray(value)) return [];
  if (value.every((part) => typeof part === "string"))
    return value.flatMap((name, at) =>
      at % 2 === 0 ? [{ name, value: value[at + 1] ?? "" }] : [],
    );
  return value.flatMap((pair: unknown) => {
    const [name, of]: unknown[] = Array.isArray(pair)
      ? pair
      : isFields(pair)
        ? [pair.name ?? pair.key, pair.value]
        : [];
    return typeof name === "string" ? [{ name, value: String(of) }] : [];
  });
}

function bodyOf(found: Fields): Pick<Pasted, "body" | "was_parsed"> {
  const posted = isFields(found.postData) ? found.postData : found;
  const value = BODY_KEYS.map((key) => posted[key]).find(
    (of) => of !== undefined && of !== null,
  );
  if (typeof value === "string")
    return { body: found.isBase64Encoded === true ? decoded(value) : value, was_parsed: false };
  return {
    body: value === undefined ? "" : JSON.stringify(value),
    was_parsed: value !== undefined,
  };
}

function decoded(base64: string): string {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    return new TextDecoder().decode(bytes);
  } catch {
    return base64;
  }
}

/** HTTP_WEBHOOK_ID => …, "webhook-id": […], Webhook-Id:[…], webhook-id=… */
const LOGGED =
  /((?<![A-Za-z_-])[A-Za-z_-]{0,60}?(?:webhook|svix)[-_](?:id|timestamp|signature)|content[-_]length)["'\]]*\s*(?:=>|[:=])\s*(?:string\(\d+\)\s*)?(?:[["'b(]+\s*)?([^"'\],)}\s][^"'\]\n)}]*)/gi;

/** What servers and languages print: names that are known, and the object that names an event. */
function fromLog(text: string): Pasted {
  const headers = [...text.matchAll(LOGGED)].map(([, name = "", value = ""]) => ({
    name,
    value: value.trim().replace(/,$/, ""),
  }));
  return { form: "log", url: null, headers, body: eventObject(text), was_parsed: false };
}

/** At so many places at most an object is looked for: a text can be nothing but braces. */
const MOST_TRIES = 500;

/** The longest text that is a whole object of JSON and names an event, else the first that is one. */
function eventObject(text: string): string {
  const sources = [text, text.replaceAll('\\"', '"').replaceAll("\\\\", "\\")];
  const found = sources.map(objectsIn);
  const [longest] = (found.find(({ events }) => events.length > 0)?.events ?? []).toSorted(
    (one, other) => other.length - one.length,
  );
  const first = found.map(({ others }) => others[0]).find((one) => one !== undefined);
  return longest ?? first ?? /\{\s*"[^]*$/.exec(text)?.[0] ?? "";
}

/** Whole objects of JSON: what names an event, and what does not, in which one that does may lie. */
function objectsIn(source: string): { events: string[]; others: string[] } {
  const events: string[] = [];
  const others: string[] = [];
  let at = source.indexOf("{");
  for (let tries = 0; at >= 0 && tries < MOST_TRIES; tries += 1) {
    const end = endOfObject(source, at);
    const object = end === null ? "" : source.slice(at, end);
    const value = parsed(object);
    const isEvent = typeof value?.event === "string" || typeof value?.type === "string";
    if (value) (isEvent ? events : others).push(object);
    at = source.indexOf("{", isEvent ? at + object.length : at + 1);
  }
  return { events, others };
}

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : null;
  } catch {
    return null;
  }
}

function endOfObject(text: string, from: number): number | null {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at++) {
    const character = text[at];
    if (isString && character === "\\") at++;
    else if (character === '"') isString = !isString;
    else if (!isString && character === "{") depth++;
    else if (!isString && character === "}" && --depth === 0) return at + 1;
  }
  return null;
}
