import { AppError, isFailure } from "#lib/failure.ts";

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
 * A value as the JSON of a client component's prop. Its objects are lists that begin with the number of their
 * field names, which come once for all; lists begin with 0. Marks " and ' are swapped, because the prop is sent
 * within quotation marks, where each " takes two characters.
 */
export function toPropJson(value: unknown): string {
  const shapes = new Map<string, number>();
  function pack(part: unknown): unknown {
    if (typeof part !== "object" || part === null) return part;
    if (Array.isArray(part)) return [0, ...part.map(pack)];
    if (part instanceof Date) return part.toJSON();
    const fields = Object.entries(part).filter(([, field]) => field !== undefined);
    const shape = JSON.stringify(fields.map(([name]) => name));
    const number = shapes.get(shape) ?? shapes.size + 1;
    shapes.set(shape, number);
    return [number, ...fields.map(([, field]) => pack(field))];
  }
  const packed = JSON.stringify(pack(value));
  return swapQuotes(`[[${[...shapes.keys()].join(",")}],${packed}]`);
}

/** The value of `toPropJson`, with dates as ISO text. */
export function fromPropJson(json: string): unknown {
  const [shapes, packed] = JSON.parse(swapQuotes(json)) as [string[][], unknown];
  function unpack(part: unknown): unknown {
    if (!Array.isArray(part)) return part;
    const [number, ...fields] = part as [number, ...unknown[]];
    const names = shapes[number - 1];
    return names
      ? Object.fromEntries(names.map((name, at) => [name, unpack(fields[at])]))
      : fields.map(unpack);
  }
  return unpack(packed);
}

const swapQuotes = (text: string) =>
  text.replaceAll(/["']/g, (mark) => (mark === "'" ? '"' : "'"));
