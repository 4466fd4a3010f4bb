import { AppError, isFailure } from "#lib/failure.ts";

/**
 * A read from the browser, through the dashboard's own route. @throws AppError
 * @param headers for what may not stand in an address, because addresses are logged
 */
export async function fetchJson<Value>(
  path: string,
  signal: AbortSignal,
  headers: Record<string, string> = {},
): Promise<Value> {
  const response = await request(path, signal, headers);
  const body: unknown = await response.json().catch(() => null);
  // Both sides of this wire are this program: the route's type is the promise.
  if (response.ok && body !== null) return body as Value;
  throw refusalOf(response, body);
}

export interface FetchedFile {
  name: string;
  content: Blob;
}

/** A file, once all of it has come. @throws AppError, also when it breaks off on its way */
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
  // Without a body of ours it comes from what stands before Duebook, as while that starts anew.
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
