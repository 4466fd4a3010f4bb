import { lockCheckout } from "../../checkout/open.ts";
import { recordFailure, settlePayment } from "../../checkout/settle.ts";
import type { Database } from "../../db/database.ts";
import type { WriteContext } from "../../http/write.ts";
import { cancelSubscription } from "../../subscriptions/cancel.ts";
import { lockCurrent } from "../../subscriptions/catch-up.ts";
import { createSubscription } from "../../subscriptions/create.ts";
import { billingMoment, localDate } from "../../subscriptions/periods.ts";
import { rescheduleSubscription } from "../../subscriptions/reschedule.ts";
import { resumeSubscription } from "../../subscriptions/resume.ts";
import type { ScenarioAction } from "./scenarios.ts";

const BUYERS = [
  "Asmita Rai",
  "Bikash Thapa",
  "Chandra Gurung",
  "Dipa Shrestha",
  "Elina Tamang",
  "Furba Sherpa",
];

interface ScenarioRun {
  write: WriteContext;
  pbp_id: string;
  subscriptions: Map<number, string>;
}

/** Performs each action at noon of its day, and then the time-based changes until now. */
export async function playScenario(
  write: WriteContext,
  pbp_id: string,
  actions: ScenarioAction[],
): Promise<void> {
  const { database, seller } = write;
  const now = write.clock();
  const today = localDate(now, seller.time_zone);
  const run: ScenarioRun = { write, pbp_id, subscriptions: new Map() };
  for (const action of actions) {
    const noon = billingMoment(today.subtract({ days: action.daysAgo }), seller.time_zone);
    const at = noon < now ? noon : now;
    await play({ ...run, write: { ...write, clock: () => at } }, action, today);
  }
  for (const id of run.subscriptions.values()) await lockCurrent(database, seller, id, now);
}

async function play(
  run: ScenarioRun,
  action: ScenarioAction,
  today: Temporal.PlainDate,
): Promise<void> {
  const { write } = run;
  const id = run.subscriptions.get(action.buyer) ?? (await create(run, action.buyer));
  if (action.does === "cancel") await cancelSubscription(write, id);
  else if (action.does === "resume") await resumeSubscription(write, id);
  else if (action.does === "reschedule") {
    const next_billing_cycle = today.subtract({ days: action.toDaysAgo }).toString();
    await rescheduleSubscription(write, { subscription_id: id, next_billing_cycle });
  } else await pay(write.database, id, action.does !== "decline", write.clock());
}

async function create(
  { write, pbp_id, subscriptions }: ScenarioRun,
  buyer: number,
): Promise<string> {
  const { subscription_id } = await createSubscription(write, {
    pbp_id,
    return_url: "https://shop.example/thanks",
    client: {
      phone: `98000000${10 + buyer}`,
      full_name: BUYERS[buyer] ?? "Gita Karki",
      email: `buyer${buyer + 1}@example.com`,
      address: "Patan, Lalitpur",
    },
  });
  subscriptions.set(buyer, subscription_id);
  return subscription_id;
}

async function pay(database: Database, id: string, approve: boolean, moment: Date) {
  const checkout = await lockCheckout(database, id, moment);
  if (approve) await settlePayment(database, checkout, { method: "wallet" });
  else await recordFailure(database, checkout);
}
