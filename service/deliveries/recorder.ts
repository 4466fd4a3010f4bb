import type pg from "pg";
import { transaction, type Database } from "../db/database.ts";
import {
  clearFailingEndpoints,
  markFailingEndpoint,
  recordOutcomes,
  releaseEndpoints,
  releaseWaitingDeliveries,
  switchOffWebhook,
  type NewNotice,
  type AttemptOutcome,
  type EndpointRelease,
} from "./record-store.ts";
import { FAILING_LIMIT } from "./schedule.ts";

interface Recorded {
  outcome: AttemptOutcome;
  /** Since when the endpoint was failing as it was leased; null if it was not. */
  failing_since: Date | null;
}

/** Collects outcomes while a statement runs and stores them together with the next one. */
export function createRecorder(
  pool: pg.Pool,
  onError: (error: unknown) => void,
  observer: DeliveryObserver,
) {
  let outcomes: Recorded[] = [];
  let releases: EndpointRelease[] = [];
  let flushing: Promise<void> | null = null;

  const flush = async () => {
    while (outcomes.length > 0 || releases.length > 0) {
      const [recorded, released] = [outcomes, releases];
      [outcomes, releases] = [[], []];
      try {
        for (const { kind, webhook_id } of await write(pool, recorded))
          observer.switchedOff(kind, webhook_id);
        if (released.length > 0) await releaseEndpoints(pool, released);
      } catch (error) {
        // The leases expire and the deliveries are sent again: an event can arrive twice, but is
        // never lost.
        onError(error);
      }
    }
    flushing = null;
  };
  const start = () => (flushing ??= Promise.resolve().then(flush));

  return {
    record: (recorded: Recorded) => {
      outcomes.push(recorded);
      void start();
    },
    /** Releases an endpoint; resolves when this and all earlier outcomes are stored. */
    release: (release: EndpointRelease) => {
      releases.push(release);
      return start();
    },
  };
}

/** @returns the endpoints it switched off */
async function write(pool: pg.Pool, recorded: Recorded[]): Promise<NewNotice[]> {
  if (recorded.length === 0) return [];
  const outcomes = recorded.map(({ outcome }) => outcome);
  const isCalm = recorded.every(
    ({ outcome, failing_since }) =>
      outcome.state === "delivered" && outcome.tries === 1 && failing_since === null,
  );
  if (!isCalm)
    return transaction(pool, async (database) => {
      await recordOutcomes(database, outcomes);
      return recordHealth(database, recorded);
    });
  await recordOutcomes(pool, outcomes);
  return [];
}

/** Effects of outcomes on other rows: later deliveries and the endpoint. */
async function recordHealth(database: Database, recorded: Recorded[]): Promise<NewNotice[]> {
  const delivered = recorded.filter(({ outcome }) => outcome.state === "delivered");
  const failures = recorded.filter(({ outcome }) => outcome.state !== "delivered");
  const idsOf = (some: Recorded[]) => [
    ...new Set(some.map(({ outcome }) => outcome.webhook_id)),
  ];
  if (delivered.length > 0) {
    const outcomes = delivered.map(({ outcome }) => outcome);
    await clearFailingEndpoints(database, outcomes);
    await releaseWaitingDeliveries(database, outcomes);
  }
  const healthy = new Set(idsOf(delivered));
  const notices: NewNotice[] = [];
  for (const id of idsOf(failures)) {
    const own = failures.filter(({ outcome }) => outcome.webhook_id === id);
    const [first] = own;
    if (!first) continue;
    const isGone = own.some(({ outcome }) => outcome.response_code === 410);
    if (!isGone && healthy.has(id)) continue;
    const notice = isGone ? goneNotice(first.outcome) : failingNotice(first);
    if (notice && (await switchOffWebhook(database, notice))) notices.push(notice);
    if (!isGone && first.failing_since === null)
      await markFailingEndpoint(database, first.outcome);
  }
  return notices;
}

const goneNotice = ({ seller_id, webhook_id, started_at }: AttemptOutcome): NewNotice => ({
  seller_id,
  webhook_id,
  kind: "gone",
  created_at: started_at,
  message: "Switched off: the endpoint answered 410, which says that it is gone for good.",
});

/** @returns null while the endpoint has not failed for long enough */
function failingNotice({
  outcome: { seller_id, webhook_id, started_at },
  failing_since,
}: Recorded): NewNotice | null {
  if (failing_since === null) return null;
  if (started_at.getTime() - failing_since.getTime() < FAILING_LIMIT) return null;
  return {
    seller_id,
    webhook_id,
    kind: "failing",
    created_at: started_at,
    message: `Switched off: every delivery has failed since ${failing_since.toISOString()}.`,
  };
}

export interface DeliveryObserver {
  /** @param waited milliseconds from the change to its first attempt; null for later attempts */
  attempted: (
    outcome: Pick<AttemptOutcome, "state" | "duration_ms">,
    waited: number | null,
  ) => void;
  switchedOff: (reason: "gone" | "failing", webhookId: number) => void;
}

export const NO_OBSERVER: DeliveryObserver = { attempted: () => {}, switchedOff: () => {} };
