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
 * JSON as a prop of a client component, with " and ' swapped: the prop is sent within quotation marks, where
 * each " takes two characters, and JSON has several for each value.
 */
export const toPropJson = (value: unknown): string => swapQuotes(JSON.stringify(value));

export const fromPropJson = (json: string): unknown => JSON.parse(swapQuotes(json));

const swapQuotes = (text: string) =>
  text.replaceAll(/["']/g, (mark) => (mark === "'" ? '"' : "'"));
