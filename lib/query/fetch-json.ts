import { AppError, isFailure } from "#lib/failure.ts";
import { apiPath, type Scope } from "#lib/scope.ts";

/**
 * Reads from the dashboard's own route.
 * @param headers for values that must not be in a URL, because URLs are logged
 * @throws AppError
 */
export async function fetchJson<Value>(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Value> {
  const response = await request(path, signal, headers);
  const body: unknown = await response.json().catch(() => null);
  // The response comes from the same program as this script, so its type matches.
  if (response.ok && body !== null) return body as Value;
  throw refusalOf(response, body);
}

/** A `queryFn` that reads a route of the seller's API; see fetchJson. */
export const readRoute =
  <Value>(scope: Scope, path: string, headers?: Record<string, string>) =>
  ({ signal }: { signal: AbortSignal }) =>
    fetchJson<Value>(apiPath(scope, path), signal, headers);

interface FetchedFile {
  name: string;
  content: Blob;
}

/** @throws AppError, also if the download is cut off */
export async function fetchFile(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<FetchedFile> {
  const response = await request(path, signal, headers);
  if (!response.ok) throw refusalOf(response, await response.json().catch(() => null));
  const said = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  try {
    return { name: said?.[1] ?? "duebook", content: await response.blob() };
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AppError({ kind: "unanswered" });
  }
}

function refusalOf(response: Response, body: unknown): AppError {
  if (isFailure(body)) return new AppError(body);
  // The answer comes from a proxy in front of Duebook, for example during a restart.
  return new AppError({ kind: response.status >= 500 ? "unanswered" : "unexpected" });
}

async function request(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string>,
): Promise<Response> {
  try {
    return await fetch(path, { signal, headers: { accept: "application/json", ...headers } });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new AppError({ kind: "unanswered" });
  }
}

/**
 * A part of a value: a text, number or the like as JSON, or the number of an object's shape (0 for a
 * list) and its fields.
 */
interface Part {
  json: string;
  shape: number;
  fields: Part[];
  uses: number;
}

/**
 * A value as the JSON of a client component's prop. Each set of field names is written once, in front;
 * an object is a list that begins with the number of its set, and a list begins with 0. Repeated parts
 * are written once, in front, too, and `[-1]` stands for the first of them. Marks " and ' are swapped,
 * because the prop is sent within quotation marks, where each " takes two characters.
 */
export function toPropJson(value: unknown): string {
  const shapes = new Map<string, number>();
  const parts = new Map<string, Part>();
  const ids = new Map<Part, number>();
  function partOf(raw: unknown): Part {
    const known = raw instanceof Date ? raw.toJSON() : raw;
    if (typeof known !== "object" || known === null)
      return keep(JSON.stringify(known ?? null), 0, []);
    if (Array.isArray(known)) return keep("", 0, known.map(partOf));
    const fields = Object.entries(known).filter(([, field]) => field !== undefined);
    const shape = JSON.stringify(fields.map(([name]) => name));
    const number = shapes.get(shape) ?? shapes.size + 1;
    shapes.set(shape, number);
    return keep(
      "",
      number,
      fields.map(([, field]) => partOf(field)),
    );
  }
  function keep(json: string, shape: number, fields: Part[]): Part {
    const key = json || `[${[shape, ...fields.map((field) => ids.get(field))].join()}`;
    const known = parts.get(key);
    if (known) return known;
    const part = { json, shape, fields, uses: 0 };
    for (const field of fields) field.uses += 1;
    parts.set(key, part);
    ids.set(part, ids.size);
    return part;
  }
  const shared: string[] = [];
  const references = new Map<Part, string>();
  function write(part: Part): string {
    const reference = references.get(part);
    if (reference) return reference;
    const json = part.json || `[${[part.shape, ...part.fields.map(write)].join()}]`;
    const isLong = (part.uses - 1) * json.length > part.uses * REFERENCE_LENGTH;
    if (!isLong) return json;
    const made = `[-${shared.push(json)}]`;
    references.set(part, made);
    return made;
  }
  const packed = write(partOf(value));
  return swapQuotes(`[[${[...shapes.keys()].join()}],[${shared.join()}],${packed}]`);
}

/** The length of a reference, with the comma that follows the part in front. */
const REFERENCE_LENGTH = 6;

/** Reads the value of `toPropJson`, with dates as ISO text; repeated parts are the same object. */
export function fromPropJson(json: string): unknown {
  const [shapes, shared, packed] = JSON.parse(swapQuotes(json)) as [
    string[][],
    unknown[],
    unknown,
  ];
  const known: unknown[] = [];
  function unpack(part: unknown): unknown {
    if (!Array.isArray(part)) return part;
    const [number, ...fields] = part as [number, ...unknown[]];
    if (number < 0) return known[-number - 1];
    const names = shapes[number - 1];
    return names
      ? Object.fromEntries(names.map((name, at) => [name, unpack(fields[at])]))
      : fields.map(unpack);
  }
  // A part comes after those that it contains.
  for (const part of shared) known.push(unpack(part));
  return unpack(packed);
}

const swapQuotes = (text: string) =>
  text.replaceAll(/["']/g, (mark) => (mark === "'" ? '"' : "'"));
