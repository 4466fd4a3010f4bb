import type { ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { CommandFailure } from "#scripts/process/command.ts";
import { transaction } from "../../../service/db/database.ts";
import { emitEvents } from "../../../service/subscriptions/emit-events.ts";
import type { SellerApi } from "../../../service/testing/seller-api.ts";
import type { ArrivalReport } from "./webhooks-processes.ts";

/** Collects the time of each delivery's first arrival, by its id. */
export function collectArrivals(receiver: ChildProcess) {
  const arrivals = new Map<string, number>();
  receiver.on("message", (arrived: ArrivalReport) => {
    for (const { id, at } of arrived) if (!arrivals.has(id)) arrivals.set(id, at);
  });
  const until = async (count: number) => {
    const limit = performance.now() + 120_000;
    while (arrivals.size < count) {
      if (performance.now() > limit)
        throw new CommandFailure(`only ${arrivals.size} of ${count} deliveries arrived`);
      await delay(1);
    }
  };
  return { arrivals, until };
}

export type Arrivals = ReturnType<typeof collectArrivals>;

/** Times single changes, in milliseconds from the end of the commit to the arrival. */
export async function timeDeliveriesOfChanges(
  { service, seller }: SellerApi,
  subscription_id: string,
  seen: Arrivals,
  changes: number,
) {
  const times: number[] = [];
  for (let change = 0; change < changes; change += 1) {
    const known = seen.arrivals.size;
    await transaction(service.pool, (database) =>
      emitEvents(database, {
        seller_id: seller.seller_id,
        subscription_id,
        events: ["checkout.failed"],
        old_status: "active",
        new_status: "active",
        reason: "bench",
        created_at: new Date(),
      }),
    );
    const committed = performance.timeOrigin + performance.now();
    await seen.until(known + 1);
    times.push(([...seen.arrivals.values()].at(-1) ?? Number.NaN) - committed);
    await delay(Math.random() * 20);
  }
  return times;
}
