import type pg from "pg";
import type { ProcessFleet } from "./processes.ts";
import {
  createSeller,
  type ServiceClient,
  type TestRequest,
  type TestSeller,
} from "./service.ts";

/**
 * Thrown for a write whose connection broke or whose answer was an error of the service (5xx), so
 * that it is unknown whether it was executed.
 */
export class BrokenConnection extends Error {}

class Fault extends Error {}

/**
 * Sends each request over HTTP to one of the ready services. Repeats reads, and requests that no
 * service accepted.
 * @param mostFaults how many answers with a 5xx are allowed, where processes are killed
 */
export function openClient(
  fleet: Pick<ProcessFleet, "urls" | "complaints">,
  pool: pg.Pool,
  mostFaults = 0,
): RemoteService {
  let faults = 0;
  const judge = (error: unknown, request: TestRequest) => {
    if (error instanceof Fault && (faults += 1) > mostFaults)
      throw new Error(`${error.message}\n${fleet.complaints}`, { cause: error });
    // Nothing was executed, or it was a read, which can be repeated.
    if (wasRefused(error) || request.method === undefined) return;
    throw new BrokenConnection("the connection broke", { cause: error });
  };
  return {
    pool,
    faults: () => faults,
    clock: { now: () => new Date() },
    createSeller: (changes = {}) => createSeller(pool, "test", changes),
    call: async (seller, request) => {
      for (;;) {
        const urls = await fleet.urls();
        const url = urls[Math.floor(Math.random() * urls.length)] ?? "";
        try {
          return await send(`${url}${request.url}`, seller, request);
        } catch (error) {
          judge(error, request);
        }
      }
    },
  };
}

export interface RemoteService extends ServiceClient {
  /** The number of answers with a 5xx. */
  faults: () => number;
}

async function send(url: string, seller: TestSeller | null, request: TestRequest) {
  const { method = "GET", headers, payload } = request;
  const answer = await fetch(url, {
    method,
    redirect: "manual",
    headers: { ...(seller && { authorization: `Bearer ${seller.key}` }), ...headers },
    ...(payload !== undefined && {
      body: typeof payload === "string" ? payload : JSON.stringify(payload),
    }),
  });
  const body = await answer.text();
  if (answer.status >= 500) throw new Fault(`${method} ${url} answered ${answer.status}`);
  return {
    statusCode: answer.status,
    headers: Object.fromEntries(answer.headers),
    body,
    json: <Result>() => JSON.parse(body) as Result,
  };
}

/** Whether nothing was sent, because nothing listens at the port. */
function wasRefused(error: unknown): boolean {
  const { cause } = Object(error) as { cause?: unknown };
  return (Object(cause) as { code?: string }).code === "ECONNREFUSED";
}

/** A buyer or a seller who repeats a request that got no answer. */
export const reloading = (client: ServiceClient): ServiceClient => ({
  ...client,
  call: async (seller, request) => {
    for (;;)
      try {
        return await client.call(seller, request);
      } catch (error) {
        if (!(error instanceof BrokenConnection)) throw error;
      }
  },
});
