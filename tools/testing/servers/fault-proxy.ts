import {
  createServer,
  request as ask,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/**
 * The simulated network faults. From `reset_after` on, the service executes the call all the same.
 */
export type FaultName =
  | "reset_before"
  | "html_500"
  | "empty_502"
  | "rate_limited"
  | "rate_limited_without_wait"
  | "unauthorized"
  | "hang"
  | "reset_after"
  | "late"
  | "cut_json"
  | "slow";

export interface ProxiedRequest {
  method: string;
  /** The request's path with its query. */
  path: string;
}

export interface FaultProxy {
  url: string;
  /** The fault for matching requests; null passes all of them on. */
  fault: { name: FaultName; strikes?: (request: ProxiedRequest) => boolean } | null;
  /** Requests that reached the service, in order. */
  passed: ProxiedRequest[];
  /** Requests that the dashboard sent, in order. */
  asked: ProxiedRequest[];
  close: () => Promise<void>;
}

const SLOW_MS = 1_500;
const LATE_MS = 4_000;
const LARGEST_CUT = 40;

/** A proxy between the dashboard and a billing service that simulates network faults. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const server = createServer((request, response) => void take(request, response));
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const proxy: FaultProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: null,
    passed: [],
    asked: [],
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };

  async function take(request: IncomingMessage, response: ServerResponse) {
    const { method = "GET", url: path = "/" } = request;
    const struck = { method, path };
    proxy.asked.push(struck);
    const { fault } = proxy;
    const body = await buffer(request).catch(() => null);
    if (body === null) return;
    const name = fault && (fault.strikes?.(struck) ?? true) ? fault.name : null;
    if (name !== null && answerInstead(name, response)) return;
    // The client's connection is closed already; the service gets the request only after this.
    if (name === "late") await delay(LATE_MS);
    proxy.passed.push(struck);
    const answer = await pass(target, request, body).catch(() => null);
    if (answer) deliver(name, answer, response);
    else response.destroy();
  }
  return proxy;
}

interface Passed {
  status: number;
  headers: IncomingMessage["headers"];
  body: Buffer;
}

function pass(target: string, request: IncomingMessage, body: Buffer): Promise<Passed> {
  const { method, url = "/", headers } = request;
  return new Promise((resolve, reject) => {
    const onwards = ask(new URL(url, target), { method, headers }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 502,
          headers: answer.headers,
          body: Buffer.concat(parts),
        }),
      );
    });
    onwards.on("error", reject);
    onwards.end(body);
  });
}

const html = { "content-type": "text/html" };

/** Answers in place of the service. @returns false when the service has to be called first */
function answerInstead(name: FaultName, response: ServerResponse): boolean {
  switch (name) {
    case "hang":
      return true;
    case "reset_before":
      response.destroy();
      return true;
    case "html_500":
      response.writeHead(500, html).end("<h1>Oops</h1><pre>at main.py:10</pre>");
      return true;
    case "empty_502":
      response.writeHead(502).end();
      return true;
    case "rate_limited":
      response.writeHead(429, { "retry-after": "7" }).end('{"detail": "Too many requests."}');
      return true;
    case "rate_limited_without_wait":
      response.writeHead(429, html).end("<h1>Slow down</h1>");
      return true;
    case "unauthorized":
      response.writeHead(401).end('{"detail": "No such key."}');
      return true;
    case "late":
      response.destroy();
      return false;
    case "reset_after":
    case "cut_json":
    case "slow":
      return false;
  }
}

function deliver(
  name: FaultName | null,
  { status, headers, body }: Passed,
  response: ServerResponse,
) {
  if (name === "reset_after" || name === "late") return response.destroy();
  const part = body.subarray(0, Math.min(LARGEST_CUT, body.length >> 1));
  const sent = name === "cut_json" ? part : body;
  const send = () => {
    response.writeHead(status, { ...headers, "content-length": sent.length });
    response.end(sent);
  };
  if (name !== "slow") return send();
  return setTimeout(send, SLOW_MS);
}
