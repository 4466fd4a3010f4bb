import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { targetProblem, type TargetRules } from "../webhooks/target.ts";
import { describeConnectionError, TimedOut } from "./connection-error.ts";
import {
  guardedLookup,
  PrivateTarget,
  resolveByDns,
  type ResolveHost,
} from "./guarded-lookup.ts";

const MOST_BYTES = 256 * 1_024;
const TIMEOUT_MS = 20_000;
const MOST_WAIT = 3_600_000;

/** How requests reach a gateway, and when they stop. */
export interface GatewayIo {
  signal: AbortSignal;
  /** Whether gateways in the service's own network may be called; never in live mode. */
  allowPrivate: boolean;
  resolve?: ResolveHost;
}

export interface GatewayRequest {
  method: "GET" | "POST";
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Milliseconds for the whole exchange. */
  timeout?: number;
}

export type GatewayAnswer =
  | {
      kind: "answered";
      status: number;
      /** Seconds; null if none was named. */
      retryAfter: number | null;
      /** Null if the body was cut off or is longer than 256 kB. */
      body: string | null;
    }
  /** No part of the request left. `isRefused`: the settings name a forbidden address. */
  | { kind: "not_reached"; text: string; isRefused: boolean }
  /** The request left, and no answer came. */
  | { kind: "lost"; text: string };

/** Translates `allowPrivate` for the guard of all outgoing connections. */
export const targetRulesOf = ({ allowPrivate }: GatewayIo): TargetRules =>
  allowPrivate ? { mode: "test", privateTargets: true } : { mode: "live" };

/** Describes a connection's error, with “gateway” in place of “endpoint”. */
export const describeGatewayError = (error: unknown) =>
  describeConnectionError(error).replaceAll("endpoint", "gateway");

/**
 * Asks a gateway once: no private addresses in live mode, no redirects, a limited body, one
 * connection for each request. It never throws, and its texts name neither URL nor content.
 */
// If the gateway closed a reused connection, it would not be known how much was sent.
export async function askGateway(
  request: GatewayRequest,
  io: GatewayIo,
): Promise<GatewayAnswer> {
  const rules = targetRulesOf(io);
  const problem = URL.canParse(request.url)
    ? targetProblem(rules, request.url)
    : "The address of the gateway is not a URL.";
  if (problem) return { kind: "not_reached", text: problem, isRefused: true };
  const limit = AbortSignal.timeout(request.timeout ?? TIMEOUT_MS);
  const signal = AbortSignal.any([io.signal, limit]);
  if (signal.aborted)
    return { kind: "not_reached", text: "Stopped before it was sent.", isRefused: false };
  const progress = { hasLeft: false };
  try {
    const response = await exchange(request, { signal, progress, io, rules });
    const retryAfter = readRetryAfter(response.headers["retry-after"], new Date());
    return {
      kind: "answered",
      status: response.statusCode ?? 0,
      retryAfter: retryAfter === null ? null : Math.ceil(retryAfter / 1_000),
      body: await readBody(response),
    };
  } catch (error) {
    const text = describeGatewayError(limit.aborted ? new TimedOut() : error);
    if (progress.hasLeft) return { kind: "lost", text };
    return { kind: "not_reached", text, isRefused: error instanceof PrivateTarget };
  }
}

interface Exchange {
  signal: AbortSignal;
  progress: { hasLeft: boolean };
  io: GatewayIo;
  rules: TargetRules;
}

const exchange = (
  { method, url, headers, body }: GatewayRequest,
  { signal, progress, io, rules }: Exchange,
) =>
  new Promise<IncomingMessage>((done, fail) => {
    const isSecure = new URL(url).protocol === "https:";
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method,
      signal,
      agent: false,
      lookup: guardedLookup(io.resolve ?? resolveByDns, rules),
      headers: { "user-agent": "Duebook", accept: "application/json", ...headers, ...length },
    });
    request.on("socket", (socket) =>
      socket.once(isSecure ? "secureConnect" : "connect", () => (progress.hasLeft = true)),
    );
    request.on("error", fail);
    request.on("response", done);
    request.end(body);
  });

async function readBody(response: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > MOST_BYTES) return null;
      chunks.push(chunk);
    }
  } catch {
    return null;
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** The JSON of an answer; undefined if its body is no JSON. */
export function jsonOf(answer: GatewayAnswer): unknown {
  if (answer.kind !== "answered" || answer.body === null) return undefined;
  try {
    return JSON.parse(answer.body);
  } catch {
    return undefined;
  }
}

export const isSuccess = (answer: GatewayAnswer) =>
  answer.kind === "answered" && answer.status >= 200 && answer.status < 300;

export const formOf = (fields: Record<string, string>) => ({
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: new URLSearchParams(fields).toString(),
});

/**
 * The wait that a Retry-After header requests, in milliseconds, at most an hour; null if
 * unreadable.
 */
export function readRetryAfter(header: string | undefined, now: Date): number | null {
  const text = header?.trim();
  if (!text) return null;
  const wait = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MOST_WAIT);
}
