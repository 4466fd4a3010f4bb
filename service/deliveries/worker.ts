import { randomUUID } from "node:crypto";
import type pg from "pg";
import { finishEach } from "../finish-each.ts";
import { runWokenWorker, type Jobs } from "../jobs.ts";
import { DELIVERIES_CHANNEL } from "../subscriptions/emit-events.ts";
import type { TargetRules } from "../webhooks/target.ts";
import {
  deferDeliveries,
  leaseEndpoints,
  nextDueAt,
  selectDueDeliveries,
  selectEndpointsToSkip,
  type DueDelivery,
  type EndpointKey,
  type Lease,
} from "./claim-store.ts";
import { resolveByDns, type ResolveHost } from "../outgoing/guarded-lookup.ts";
import { serveLane, type LaneContext } from "./lane.ts";
import { createPoster } from "./post.ts";
import { createRecorder, NO_OBSERVER, type DeliveryObserver } from "./recorder.ts";
import { skipSomeDeliveries } from "./record-store.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const LANES = 200;
const PER_ENDPOINT = 100;
const RECORDERS = 3;
// The longest timer in milliseconds; the sweep finds deliveries that are due later.
const LONGEST_TIMER = MINUTE;
const CLOSE_WAIT = 5 * SECOND;

export interface WorkerOptions extends TargetRules {
  pool: pg.Pool;
  now: () => Date;
  secretsKey: Buffer;
  oldSecretsKeys?: readonly Buffer[];
  onError?: (error: unknown) => void;
  observer?: DeliveryObserver | undefined;
  resolve?: ResolveHost;
  random?: () => number;
  timeout?: number;
  /** Milliseconds until another worker takes over a killed one's leases; twice the timeout. */
  lease?: number;
}

const keyOf = ({ seller_id, address_key }: EndpointKey) => `${seller_id} ${address_key}`;

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Sends due deliveries; workers of any process share the work by leases (ADR 0051). */
export function createDeliveryWorker({
  pool,
  now,
  secretsKey,
  oldSecretsKeys = [],
  mode,
  privateTargets = false,
  onError = () => {},
  observer = NO_OBSERVER,
  resolve = resolveByDns,
  random = Math.random,
  timeout = 15 * SECOND,
  lease = 2 * timeout,
}: WorkerOptions) {
  const { post, cutOff } = createPoster({ mode, privateTargets, resolve, timeout });
  const lanes = new Set<Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;
  let isWakened = false;
  let rounds: Promise<void> | null = null;
  let timer: NodeJS.Timeout | undefined;
  const recorders = Array.from({ length: RECORDERS }, () =>
    createRecorder(pool, onError, observer),
  );
  const context: Omit<LaneContext, "recorder"> = {
    now,
    random,
    secretsKeys: [secretsKey, ...oldSecretsKeys],
    observer,
    post,
    slice: (lease - timeout) * 0.7,
    isClosing: () => signal.aborted,
  };

  /** @returns whether deliveries were taken, or could not be because no lane is free */
  const takeBatch = async () => {
    const free = LANES - lanes.size;
    if (free <= 0) return true;
    const at = now();
    const until = new Date(at.getTime() + lease);
    const held: Lease = { token: randomUUID(), now: at, until };
    const addresses = await leaseEndpoints(pool, held, free);
    if (addresses.length === 0) return false;
    const due = await selectDueDeliveries(pool, held, {
      perEndpoint: PER_ENDPOINT,
      orderedFor: MINUTE,
    });
    const waits = ({ failing_until }: DueDelivery) =>
      failing_until !== null && failing_until > at;
    const waiting = due.filter(waits);
    const ready = Map.groupBy(
      due.filter((row) => !waits(row)),
      keyOf,
    );
    const heldUp = new Set(waiting.map(keyOf));
    // Not awaited here, so that only the addresses of these deliveries wait for it.
    const isPutOff = waiting.length > 0 ? deferDeliveries(pool, waiting) : undefined;
    for (const address of addresses) {
      const key = keyOf(address);
      const lane = { ...address, lease: held.token };
      openLane(lane, ready.get(key) ?? [], heldUp.has(key) ? isPutOff : undefined);
    }
    return ready.size > 0;
  };

  // An address always uses the same recorder, so that it is released after its outcomes are
  // stored.
  const recorderOf = ({ address_key }: EndpointKey) =>
    recorders[
      Number.parseInt(address_key.slice(0, 4), 16) % RECORDERS
    ] as (typeof recorders)[0];

  const openLane = (
    address: EndpointKey & { lease: string },
    deliveries: DueDelivery[],
    first?: Promise<unknown>,
  ) => {
    const serve = () =>
      serveLane({ ...context, recorder: recorderOf(address) }, address, deliveries);
    const lane = (first ? first.then(serve) : serve()).catch(onError).finally(() => {
      lanes.delete(lane);
      // Looks again: this lane may have left due deliveries, or given some a later time.
      if (deliveries.length > 0 || first) wake();
    });
    lanes.add(lane);
  };

  const runRounds = async () => {
    let hasTaken = true;
    while (isWakened && !signal.aborted) {
      isWakened = false;
      hasTaken = await takeBatch();
    }
    if (!hasTaken && !signal.aborted) await setTimer();
  };

  const setTimer = async () => {
    const next = await nextDueAt(pool);
    clearTimeout(timer);
    if (next === null || signal.aborted) return;
    const wait = Math.max(next.getTime() - now().getTime(), 10);
    if (wait < LONGEST_TIMER) timer = setTimeout(wake, wait).unref();
  };

  /** Starts a pass now or, if one is running, right after it. */
  function wake() {
    isWakened = true;
    if (signal.aborted) return;
    rounds ??= runRounds()
      .catch(onError)
      .finally(() => {
        rounds = null;
        if (isWakened && !signal.aborted) wake();
      });
  }

  const idle = async () => {
    while (rounds ?? lanes.size) await Promise.all([rounds, ...lanes]);
  };

  return {
    wake,
    /** Resolves when nothing is due any more. */
    deliverDue: async () => {
      wake();
      await idle();
    },
    sweep: async () => {
      // Sending begins first: what is to be skipped is not sent anyway, and skipping may take a
      // while.
      wake();
      await finishEach(
        await selectEndpointsToSkip(pool),
        async (endpoint) => (await skipSomeDeliveries(pool, endpoint)) > 0,
        { onError, signal },
      );
    },
    /** Starts nothing new, waits a while for running requests, and gives the leases back. */
    close: async () => {
      closing.abort();
      clearTimeout(timer);
      const giveUp = setTimeout(() => cutOff(), CLOSE_WAIT);
      await idle();
      clearTimeout(giveUp);
      cutOff();
    },
  };
}

/**
 * Runs a delivery worker until it is closed. It wakes on each commit that queues a delivery, by
 * its own timer for retries, and by one sweep a minute among all processes (ADR 0051).
 */
export const runDeliveries = (jobs: Jobs, options: Omit<WorkerOptions, "pool">) =>
  runWokenWorker(jobs, createDeliveryWorker({ ...options, pool: jobs.pool }), {
    sweep: "delivery-sweep",
    channel: DELIVERIES_CHANNEL,
  });
