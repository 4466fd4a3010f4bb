import assert from "node:assert/strict";
import { moveClockTo } from "../../sandbox/clock/store.ts";
import type { SellerApi } from "../seller-api.ts";
import type { Inbox } from "../inbox.ts";
import type { ServiceClient, TestService } from "../service.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** Milliseconds that the sandbox's clock may surely be ahead; its limit is some days higher. */
const MAX_CLOCK_LEAD = 5 * 365 * 24 * 60 * MINUTE;

/** How the sellers' clocks are moved while a sequence is played; times are in milliseconds. */
export interface ClockControl<Service extends ServiceClient> {
  /** Starts a sequence. @returns its start time */
  begin: (apis: SellerApi<Service>[], start: string) => Promise<number>;
  /** Moves the clock, optionally with a sweep; false if it cannot go that far. */
  move: (apis: SellerApi<Service>[], to: number, how: { sweep: boolean }) => Promise<boolean>;
  settle: (api: SellerApi<Service>) => Promise<void>;
  /** How long before the end of a day an action "at its end" takes place. */
  lastMoment: number;
  /** Tolerance for times where the clock runs by itself. */
  tolerance: number;
  /** The most times that one checkout can be reported as abandoned. */
  abandonments: number;
}

/** One clock for all sellers, which only moves when told to; only the test sweeps. */
export const testClockControl = ({ clock }: TestService): ClockControl<TestService> => ({
  begin: async (_desks, start) => {
    clock.set(start);
    return Date.parse(start);
  },
  move: async (apis, to, { sweep }) => {
    clock.set(new Date(to).toISOString());
    if (sweep) for (const api of apis) await api.wait(0);
    return true;
  },
  settle: (api) => api.wait(0),
  lastMoment: 1,
  tolerance: 0,
  abandonments: 0,
});

/** Each seller's running clock in the sandbox; workers sweep at any time. */
export const sandboxClockControl = (inbox: Inbox): ClockControl<ServiceClient> => ({
  begin: async (apis, start) => {
    const at = nextYears(start);
    for (const api of apis) {
      await inbox.register(api);
      await setAhead(api, at);
    }
    return at;
  },
  move: async (apis, to, { sweep }) => {
    if (to - Date.now() > MAX_CLOCK_LEAD) return false;
    for (const api of apis)
      if (sweep) await advance(api, { to: new Date(to).toISOString() });
      else await setAhead(api, to);
    return true;
  },
  settle: (api) => advance(api, { by: "PT1S" }),
  lastMoment: 10 * MINUTE,
  tolerance: MINUTE,
  abandonments: 1,
});

/** Moves the seller's clock ahead without a sweep. */
const setAhead = ({ service: { pool }, seller }: SellerApi<ServiceClient>, to: number) =>
  moveClockTo(pool, seller, { target: new Date(to), realNow: new Date() });

async function advance(api: SellerApi<ServiceClient>, by: { to: string } | { by: string }) {
  const answer = await api.post("/sandbox/clock/advance/", by);
  assert.equal(answer.statusCode, 200, answer.body);
}

/** The same day and time in the first year that lies in the future. */
function nextYears(start: string): number {
  const date = new Date(start);
  while (date.getTime() < Date.now()) date.setUTCFullYear(date.getUTCFullYear() + 1);
  return date.getTime();
}
