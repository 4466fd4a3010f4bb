import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { BrokenConnection } from "../../../service/testing/remote.ts";
import {
  createSeller,
  type ServiceClient,
  type TestResponse,
} from "../../../service/testing/service.ts";
import type { OutcomeLog } from "./outcome-log.ts";

const TIMEOUT = 65_000;
const AFTER_FAILURE = 250;
/**
 * Milliseconds between two requests of one client, because two processor cores have to run
 * everything.
 */
const INTERVAL = 30;

type Request = Parameters<ServiceClient["call"]>[1];

/** A client of the service through nginx that records the outcome of each request. */
export function openCountingClient(
  base: string,
  pool: pg.Pool,
  outcomeLog: OutcomeLog,
): ServiceClient {
  return {
    pool,
    clock: { now: () => new Date() },
    createSeller: (changes = {}) => createSeller(pool, "test", changes),
    call: async (seller, request) => {
      for (;;) {
        await delay(INTERVAL);
        const authorization = seller ? { authorization: `Bearer ${seller.key}` } : {};
        const answer = await send(
          base,
          { ...request, headers: { ...authorization, ...request.headers } },
          outcomeLog,
        );
        if (answer) return answer;
        await delay(AFTER_FAILURE);
        if ((request.method ?? "GET") !== "GET")
          throw new BrokenConnection("the outcome of the write is unknown");
      }
    },
  };
}

async function send(
  base: string,
  request: Request,
  outcomeLog: OutcomeLog,
): Promise<TestResponse | null> {
  const { method = "GET", url, headers, payload } = request;
  const done = outcomeLog.ask();
  const what = `${method} ${kindOf(url)}`;
  const isWrite = method !== "GET";
  try {
    const answer = await fetch(`${base}${url}`, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT),
      ...(headers && { headers }),
      ...(payload !== undefined && {
        body: typeof payload === "string" ? payload : JSON.stringify(payload),
      }),
    });
    const body = await answer.text();
    if (answer.status >= 500) {
      const isClear =
        answer.status === 503 && /again in a (moment|minute)|does not answer/.test(body);
      done({ what, isWrite, status: answer.status, isClear });
      return null;
    }
    done(null);
    return {
      statusCode: answer.status,
      headers: Object.fromEntries(answer.headers),
      body,
      json: <Result>() => JSON.parse(body) as Result,
    };
  } catch {
    done({ what, isWrite, status: null, isClear: false });
    return null;
  }
}

/** The kind of a request by its URL, without ids. */
const kindOf = (url: string) =>
  `api ${/^\/(pay|sandbox-pay|pay-notices|sandbox)/.exec(url)?.[1] ?? url.split("/")[3] ?? "?"}`;

export interface DashboardReader {
  url: string;
  cookie: string;
  /** The seller and mode in the URL. */
  scope: string;
}

interface PageCheck {
  what: string;
  path: string;
  headers?: Record<string, string>;
}

const PAGE_CHECKS: readonly PageCheck[] = [
  { what: "page list", path: "/{scope}/subscriptions" },
  { what: "page reports", path: "/{scope}/reports" },
  { what: "dashboard list", path: "/api/{scope}/subscriptions" },
  {
    what: "dashboard search",
    path: "/api/{scope}/subscriptions",
    headers: { "x-words": "Buyer" },
  },
  { what: "dashboard facets", path: "/api/{scope}/subscriptions/facets" },
  { what: "dashboard report", path: "/api/{scope}/reports/subscribers" },
  { what: "dashboard customers", path: "/api/{scope}/customers" },
];

/** Opens pages one after the other until the signal. */
export async function browsePages(
  reader: DashboardReader,
  outcomeLog: OutcomeLog,
  signal: AbortSignal,
) {
  for (let checks = 0; !signal.aborted; checks += 1) {
    const check = PAGE_CHECKS[checks % PAGE_CHECKS.length];
    if (check && !(await checkPage(reader, check, outcomeLog))) await delay(AFTER_FAILURE);
    await delay(INTERVAL);
  }
}

async function checkPage(
  { url, cookie, scope }: DashboardReader,
  check: PageCheck,
  outcomeLog: OutcomeLog,
) {
  const done = outcomeLog.ask();
  try {
    const answer = await fetch(`${url}${check.path.replace("{scope}", scope)}`, {
      redirect: "manual",
      headers: { cookie, ...check.headers },
      signal: AbortSignal.timeout(TIMEOUT),
    });
    const body = await answer.text();
    const { status } = answer;
    const isShown = isPageShown(status, body);
    done(
      isShown
        ? null
        : {
            what: check.what,
            isWrite: false,
            status,
            isClear: hasFailureMessage(status, body),
          },
    );
    return isShown;
  } catch {
    done({ what: check.what, isWrite: false, status: null, isClear: false });
    return false;
  }
}

export const isPageShown = (status: number, body: string) =>
  status === 200 && !body.includes('role="alert"');

/** Whether the answer shows a failure message, in the page or by its script. */
export const hasFailureMessage = (status: number, body: string) =>
  status === 503
    ? /"kind":"unavailable"|role="alert"|id="__next_error__"/.test(body)
    : status === 200 && body.includes('role="alert"');
