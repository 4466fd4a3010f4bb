import type pg from "pg";
import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { DeliveryObserver } from "./recorder.ts";
import { selectBacklog, type Backlog } from "./store.ts";

const OUTCOMES = { delivered: "delivered", pending: "retried", failed: "failed" };

export function deliveryMetrics(
  register: Registry,
  pool: pg.Pool,
  now: () => Date,
): DeliveryObserver {
  const registers = [register];
  const attempts = new Histogram({
    name: "webhook_attempt_duration_seconds",
    help: "Attempts to deliver, by what came of them",
    labelNames: ["outcome"],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 60],
    registers,
  });
  const waits = new Histogram({
    name: "webhook_first_attempt_delay_seconds",
    help: "From the change, by the database's clock, to the first attempt to announce it",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30, 60, 300, 3_600],
    registers,
  });
  const switched = new Counter({
    name: "webhook_switched_off_total",
    help: "Endpoints that were switched off because they are gone or always fail",
    labelNames: ["reason"],
    registers,
  });
  countBacklog(registers, () => selectBacklog(pool, now()));
  return {
    attempted: ({ state, duration_ms }, waited) => {
      attempts.observe({ outcome: OUTCOMES[state] }, duration_ms / 1_000);
      if (waited !== null) waits.observe(Math.max(waited, 0) / 1_000);
    },
    switchedOff: (reason) => switched.inc({ reason }),
  };
}

/** Gauges read from the database on each scrape; omitted if it does not answer. */
function countBacklog(registers: Registry[], select: () => Promise<Backlog>) {
  let look: Promise<Backlog | null> | null = null;
  // All gauges of one scrape share one query.
  const ask = () =>
    (look ??= select()
      .catch(() => null)
      .finally(() => (look = null)));
  const gauge = (name: string, help: string, states: Record<string, keyof Backlog>) =>
    new Gauge({
      name,
      help,
      labelNames: ["state"],
      registers,
      async collect() {
        const backlog = await ask();
        this.reset();
        if (!backlog) return;
        for (const [state, key] of Object.entries(states)) this.set({ state }, backlog[key]);
      },
    });
  gauge("webhook_deliveries", "Deliveries to be sent, counted up to 100,000", {
    due: "due",
    waiting: "waiting",
  });
  gauge("webhook_oldest_delivery_seconds", "For how long the oldest has been due", {
    due: "oldest_due",
  });
  gauge("webhook_registrations", "Endpoints; the failing ones are active, too", {
    active: "active",
    failing: "failing",
    paused: "paused",
  });
}
