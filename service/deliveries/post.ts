import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { targetProblem, type TargetRules } from "../webhooks/target.ts";
import { describeConnectionError, TimedOut } from "../outgoing/connection-error.ts";
import { guardedLookup, type ResolveHost } from "../outgoing/guarded-lookup.ts";

const KEPT_BYTES = 4_096;
// Bytes of a body that are read; the rest is ignored, because the result is known by then.
const READ_BYTES = 64 * 1_024;

export interface EndpointAnswer {
  code: number | null;
  /** The first 4 kB of the body. */
  body: string | null;
  retry_after: string | undefined;
  /** The error as a sentence; null for 2xx. */
  error: string | null;
}

interface PosterOptions extends TargetRules {
  resolve: ResolveHost;
  timeout: number;
}

export type PostToEndpoint = ReturnType<typeof createPoster>["post"];

/** Posts to endpoints over keep-alive connections; follows no redirects and never throws. */
export function createPoster({ resolve, timeout, ...rules }: PosterOptions) {
  const options = {
    keepAlive: true,
    lookup: guardedLookup(resolve, rules),
    maxFreeSockets: 512,
  };
  const http = new HttpAgent(options);
  const https = new HttpsAgent(options);
  const running = new Set<AbortController>();
  let isCutOff = false;

  const send = (url: URL, headers: Record<string, string>, body: string, signal: AbortSignal) =>
    new Promise<EndpointAnswer>((done, fail) => {
      const isSecure = url.protocol === "https:";
      const request = (isSecure ? httpsRequest : httpRequest)(url, {
        method: "POST",
        signal,
        agent: isSecure ? https : http,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      });
      request.on("error", (error) =>
        fail(request.reusedSocket && isReset(error) ? new StaleConnection() : error),
      );
      request.on("response", (response) => done(read(response)));
      request.end(body);
    });

  /** @returns null if it was aborted and the result is unknown */
  const post = async (
    address: string,
    headers: Record<string, string>,
    body: string,
  ): Promise<EndpointAnswer | null> => {
    // A numeric address is connected to without a lookup.
    const problem = targetProblem(rules, address);
    if (problem) return failed(`Not sent. ${problem}`);
    if (isCutOff) return null;
    const limit = new AbortController();
    running.add(limit);
    const timer = setTimeout(() => limit.abort(), timeout);
    const attempt = () => send(new URL(address), headers, body, limit.signal);
    try {
      // Tries once more if the endpoint had closed a keep-alive connection, which says nothing
      // about its state.
      return await attempt().catch((error: unknown) => {
        if (error instanceof StaleConnection) return attempt();
        throw error;
      });
    } catch (error) {
      if (isCutOff) return null;
      return failed(describeConnectionError(limit.signal.aborted ? new TimedOut() : error));
    } finally {
      clearTimeout(timer);
      running.delete(limit);
    }
  };

  const cutOff = () => {
    isCutOff = true;
    for (const limit of running) limit.abort();
    http.destroy();
    https.destroy();
  };
  return { post, cutOff };
}

class StaleConnection extends Error {}

const isReset = (error: NodeJS.ErrnoException) =>
  error.code === "ECONNRESET" || error.code === "EPIPE";

const failed = (error: string): EndpointAnswer => ({
  code: null,
  body: null,
  retry_after: undefined,
  error,
});

/**
 * Reads an answer. The status decides; of the body at most `READ_BYTES` are read, and a part is
 * stored.
 */
async function read(response: IncomingMessage): Promise<EndpointAnswer> {
  const { statusCode: code = 0, headers } = response;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (length < KEPT_BYTES) chunks.push(chunk);
      length += chunk.length;
      if (length > READ_BYTES) break;
    }
  } catch {
    // The body was cut off, but the status had arrived.
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  return {
    code,
    // PostgreSQL's text type cannot store NUL.
    body: kept.toString("utf8").replaceAll("\0", "\uFFFD"),
    retry_after: headers["retry-after"],
    error: code >= 200 && code < 300 ? null : describeStatus(code),
  };
}

function describeStatus(status: number): string {
  if (status >= 300 && status < 400)
    return `The endpoint answered ${status}: redirects are not followed.`;
  if (status === 410) return "The endpoint answered 410: it is gone, and was switched off.";
  return `The endpoint answered ${status}.`;
}
