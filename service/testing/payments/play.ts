import assert from "node:assert/strict";
import type { TestService } from "../service.ts";
import { providerAt, PaymentBuyers } from "./buyers.ts";
import type { PaymentSimulators, ProviderName } from "./books.ts";
import { comparePayments, type PaymentCounts } from "./compare.ts";
import { PaymentScene } from "./scene.ts";
import type { PaymentAction, PaymentSequence } from "./sequence.ts";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** Seconds to let pass until every charge was asked about for the last time. */
const SETTLING = [60, 3_600, 86_400, 9 * 86_400, 86_400];
const BY = { id: "1", name: "Sita" };

type Of<Name extends PaymentAction["do"]> = Extract<PaymentAction, { do: Name }>;

/**
 * Plays buyers, a seller, providers and killed processes, then lets the worker run until nothing is
 * due, and compares what the providers took and gave back with what the service says.
 * @throws AssertionError that names money that was forgotten, booked twice or given back twice
 */
export async function playPayments(
  service: TestService,
  simulators: PaymentSimulators,
  { start, actions, decisions }: PaymentSequence,
): Promise<PaymentCounts> {
  service.clock.set(start === "now" ? new Date().toISOString() : start);
  simulators.clear();
  const scene = await PaymentScene.open(service, simulators);
  const { seller_id } = scene.api.seller;
  const play = new Play(scene);
  try {
    const counts: PaymentCounts = {};
    for (const action of actions) {
      await play.perform(action);
      const done = `did ${action.do}`;
      counts[done] = (counts[done] ?? 0) + 1;
    }
    await play.settle(decisions);
    const found = await comparePayments(service, [seller_id], scene.books);
    return { ...counts, ...play.decided, ...found };
  } finally {
    // The next sequence's workers have nothing to do for this seller.
    const ended = "update charge set next_at = null where seller_id = $1";
    await service.pool.query(ended, [seller_id]);
  }
}

class Play {
  private readonly scene: PaymentScene;
  private readonly buyers: PaymentBuyers;
  readonly decided: PaymentCounts = {};

  constructor(scene: PaymentScene) {
    this.scene = scene;
    this.buyers = new PaymentBuyers(scene);
  }

  async perform(action: PaymentAction): Promise<unknown> {
    switch (action.do) {
      case "checkout":
        return this.buyers.checkout(action);
      case "work":
        this.scene.advance(action.seconds * SECOND);
        return this.scene.work(action.killedAt);
      case "fault": {
        const { simulator } =
          this.scene.books.simulators.providers[providerAt(action.provider)];
        for (let time = 0; time < action.times; time += 1) simulator.next(action.fault);
        return;
      }
      case "twist":
        return this.scene.books.twist(providerAt(action.provider), action.how);
      case "refunds":
        this.scene.books.of(providerAt(action.provider)).refunds = action.mode;
        return;
      case "seller":
        return this.sell(action);
      case "refund":
        return this.askRefund(action);
      case "fail":
        return this.failRefund(action.refund);
      case "decide":
        return this.decide(action);
      case "hand":
        return this.giveBackByHand();
      case "give up":
        return this.giveUp(action.refund);
      case "again":
      case "pay":
      case "refuse":
      case "misprice":
      case "look":
      case "crowd":
      case "puzzle":
      case "notify":
      case "dispute":
      case "undo":
        return this.buyers.act(action);
    }
  }

  private async sell({ buyer, does }: Of<"seller">) {
    const { api, service } = this.scene;
    const id = this.scene.subscriptions[buyer] ?? "";
    if (does === "cancel") await api.requestCancel(id);
    else if (does === "resume") await api.requestResume(id);
    else if (does === "reschedule") {
      const day = new Date(service.clock.now().getTime() + 5 * DAY).toISOString().slice(0, 10);
      await api.requestReschedule(id, day);
    } else
      await service.pool.query(
        "update billing_period set price = price + 10 where pbp_id = $1",
        [api.periods.monthly],
      );
  }

  private async askRefund({ payment: place, part }: Of<"refund">) {
    const { rows } = await this.scene.service.pool.query<{
      payment_id: string;
      amount: string;
    }>(
      "select payment_id, amount::text as amount from payment where seller_id = $1 order by paid_at, payment_id",
      [this.scene.api.seller.seller_id],
    );
    const payment = rows[place % rows.length];
    if (!payment) return;
    const amount = (Number(payment.amount) / part).toFixed(2);
    await this.scene.account("POST", `payments/${payment.payment_id}/refunds/`, {
      amount,
      reason: "Two weeks away",
      by: BY,
    });
  }

  /**
   * Asks about held money; if it is still held and the answer agrees with the provider's portal,
   * decides by the portal: money that was taken counts as paid or is refunded, else nothing came.
   */
  private async decide({ task: place, isKept }: Of<"decide">) {
    const tasks = await this.findHeld();
    const known = tasks[place % tasks.length];
    if (known) await this.decideOne(known, isKept);
  }

  private async decideOne(known: HeldTask, isKept: boolean) {
    const say = (decision: string) =>
      this.scene.account("POST", `payment-tasks/${known.task_id}/decide/`, {
        decision,
        note: "As the portal has it",
        by: BY,
      });
    await say("ask_again");
    const task = (await this.findHeld()).find(({ task_id }) => task_id === known.task_id);
    const payment = task && this.scene.books.find(task.provider, task.reference);
    if (!payment || this.scene.books.backOf(task.provider, payment) > 0n) return;
    const isTaken = payment.transaction !== null;
    if (isTaken && task.units !== null && task.units !== String(payment.units)) return;
    const decision = isTaken ? (isKept ? "count_as_paid" : "give_back") : "nothing_came";
    const { statusCode, body } = await say(decision);
    assert.ok(statusCode === 200 || statusCode === 409, body);
    if (statusCode === 200) this.decided[decision] = (this.decided[decision] ?? 0) + 1;
  }

  /** Held charges, with the answered amount in the smallest unit; null in another currency. */
  private async findHeld() {
    const { rows } = await this.scene.service.pool.query<HeldTask>(
      `select t.task_id, a.provider, c.reference,
         case when coalesce(c.answered_currency, c.currency) = c.currency
           then (coalesce(c.answered_amount, c.amount) * 100)::bigint::text end as units
       from payment_task t join charge c using (charge_id)
       join payment_account a on a.account_id = c.account_id
       where t.seller_id = $1 and t.kind = 'held' and t.closed_at is null order by c.begun_at, 1`,
      [this.scene.api.seller.seller_id],
    );
    return rows;
  }

  private async failRefund(place: number) {
    const { rows } = await this.scene.service.pool.query<{ id: string }>(
      `select provider_refund_id as id from refund
       where seller_id = $1 and state = 'done' and provider_refund_id like 're_%' order by 1`,
      [this.scene.api.seller.seller_id],
    );
    const refund = rows[place % rows.length];
    if (refund) this.scene.books.simulators.stripeRefunds.end(refund.id, "failed");
  }

  /** A person makes the listed refunds in the portals, unless made already, and confirms them. */
  private async giveBackByHand() {
    const { books, service, api } = this.scene;
    for (;;) {
      const refund = await findHandRefund(service, api.seller.seller_id);
      if (!refund) return;
      const { provider, reference } = refund;
      const [units, done] = [BigInt(refund.units), BigInt(refund.done)];
      const payment = books.find(provider, reference);
      assert.ok(payment);
      const isMade = books.backOf(provider, payment) - done >= units;
      if (!isMade) books.giveBackByHand(provider, payment, units);
      const answer = await this.scene.account("POST", `refunds/${refund.refund_id}/confirm/`, {
        reference: "T 1",
        by: BY,
      });
      assert.equal(answer.statusCode, 200, answer.body);
    }
  }

  private async giveUp(place: number) {
    const { rows } = await this.scene.service.pool.query<{ refund_id: string }>(
      `select refund_id from refund where seller_id = $1 and state = 'refused' and ended_at is null
         and payment_id is not null order by requested_at, 1`,
      [this.scene.api.seller.seller_id],
    );
    const refund = rows[place % rows.length];
    if (!refund) return;
    const body = { reason: "The buyer keeps it", by: BY };
    const answer = await this.scene.account(
      "POST",
      `refunds/${refund.refund_id}/refuse/`,
      body,
    );
    assert.equal(answer.statusCode, 200, answer.body);
  }

  async settle(decisions: PaymentSequence["decisions"]) {
    this.scene.books.calm();
    for (const [step, seconds] of SETTLING.entries()) {
      if (step === 2)
        for (const [place, task] of (await this.findHeld()).entries()) {
          const decision = decisions[place] ?? "leave";
          if (decision !== "leave") await this.decideOne(task, decision === "keep");
        }
      this.scene.advance(seconds * SECOND);
      await this.scene.work(null);
    }
  }
}

interface HeldTask {
  task_id: string;
  provider: ProviderName;
  reference: string;
  units: string | null;
}

interface HandRefund {
  refund_id: string;
  provider: ProviderName;
  reference: string;
  /** Smallest units: of this refund, and of all of the charge that are done. */
  units: string;
  done: string;
}

async function findHandRefund({ pool }: TestService, sellerId: number) {
  const { rows } = await pool.query<HandRefund>(
    `select r.refund_id, a.provider, c.reference, (r.amount * 100)::bigint::text as units,
       (select coalesce(sum(amount * 100), 0)::bigint::text from refund d
        where d.charge_id = c.charge_id and d.state = 'done') as done
     from refund r join charge c using (charge_id) join payment_account a using (account_id)
     where r.seller_id = $1 and r.state = 'by_hand'
     order by r.requested_at, r.refund_id limit 1`,
    [sellerId],
  );
  return rows[0];
}
