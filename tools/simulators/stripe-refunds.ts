import { randomBytes } from "node:crypto";
import { givenIn, type SimulatedAnswer, type SimulatedRequest } from "./gateway-simulator.ts";
import type { PaymentBook, SimulatedPayment } from "./payment-book.ts";

interface SimulatedRefund {
  id: string;
  object: "refund";
  payment_intent: string;
  amount: number;
  status: string;
  metadata: Record<string, string>;
  failure_reason?: string;
}

const DISPUTE_FEE = 1_500;
/** The simulator's words for the states of a dispute, with Stripe's. */
const DISPUTE_STATUS: Record<string, string> = {
  dispute_asked: "warning_needs_response",
  disputed: "needs_response",
  dispute_won: "won",
  dispute_lost: "lost",
};
export const DISPUTED = Object.keys(DISPUTE_STATUS);

const refused = (code: string): SimulatedAnswer => ({
  status: 400,
  body: { error: { type: "invalid_request_error", code, message: `Refused: ${code}` } },
});

/** The refunds of a simulated Stripe account, which can fail after they have succeeded, and its disputes. */
export class SimulatedRefunds {
  readonly refunds = new Map<string, SimulatedRefund>();
  private readonly book: PaymentBook;
  /** The disputed amount when each dispute was first seen. */
  private readonly disputed = new Map<string, number>();

  constructor(book: PaymentBook) {
    this.book = book;
  }

  /** How much of a payment went back, in the smallest unit. */
  amountOf({ transaction, units, word }: SimulatedPayment): number {
    if (word === "refunded") return Number(units);
    return [...this.refunds.values()]
      .filter(({ payment_intent, status }) => {
        const isBack = status === "succeeded" || status === "pending";
        return payment_intent === `pi_${transaction}` && isBack;
      })
      .reduce((sum, { amount }) => sum + amount, 0);
  }

  /**
   * The disputed amount, what of it the buyer's bank has now, and the fee, in the smallest unit; null
   * without a dispute.
   */
  disputeOf(payment: SimulatedPayment): { amount: number; taken: number; fee: number } | null {
    const { reference, word, units } = payment;
    if (!DISPUTED.includes(word)) return null;
    const amount = this.disputed.get(reference) ?? Number(units) - this.amountOf(payment);
    this.disputed.set(reference, amount);
    const taken = word === "disputed" || word === "dispute_lost" ? amount : 0;
    return { amount, taken, fee: word === "dispute_asked" ? 0 : DISPUTE_FEE };
  }

  /** The disputes of a payment as the API lists them. */
  listDisputes(intent: string): SimulatedAnswer {
    const data = [...this.book.payments.values()].flatMap((payment) => {
      const { transaction, currency, word } = payment;
      const dispute = `pi_${transaction}` === intent ? this.disputeOf(payment) : null;
      if (!dispute) return [];
      const { amount, taken, fee } = dispute;
      const moved = (sum: number, kept: number) => ({ amount: sum, fee: kept, currency });
      const balance_transactions = [
        ...(fee > 0 ? [moved(-amount, fee)] : []),
        ...(fee > 0 && taken === 0 ? [moved(amount, 0)] : []),
      ];
      const status = DISPUTE_STATUS[word];
      return [{ object: "dispute", amount, currency, status, balance_transactions }];
    });
    return { status: 200, body: { object: "list", data, has_more: false } };
  }

  create(fields: Record<string, string>): SimulatedAnswer {
    const intent = fields.payment_intent ?? "";
    const payment = [...this.book.payments.values()].find(
      ({ transaction }) => `pi_${transaction}` === intent,
    );
    if (!payment) return refused("resource_missing");
    const left = Number(payment.units) - this.amountOf(payment);
    const amount = Number(fields.amount ?? left);
    if (left === 0) return refused("charge_already_refunded");
    if (amount > left) return refused("amount_too_large");
    if (this.book.refunds === "insufficient") return refused("balance_insufficient");
    if ((this.disputeOf(payment)?.taken ?? 0) > 0) return refused("charge_disputed");
    if (this.book.refunds === "refused") return refused("refund_disputed_payment");
    const refund: SimulatedRefund = {
      id: `re_${randomBytes(12).toString("hex")}`,
      object: "refund",
      payment_intent: intent,
      amount,
      status: this.book.refunds === "pending" ? "pending" : "succeeded",
      metadata: { refund_key: fields["metadata[refund_key]"] ?? "" },
    };
    this.refunds.set(refund.id, refund);
    return { status: 200, body: refund };
  }

  list(payment_intent: string): SimulatedAnswer {
    const data = [...this.refunds.values()].filter(
      (each) => each.payment_intent === payment_intent,
    );
    return { status: 200, body: { object: "list", data, has_more: false } };
  }

  show(id: string): SimulatedAnswer {
    const refund = this.refunds.get(id);
    return refund
      ? { status: 200, body: refund }
      : { ...refused("resource_missing"), status: 404 };
  }

  /** Gives a refund another state; a refund that succeeded can still fail. */
  end(id: string, status: string): void {
    const refund = this.refunds.get(id);
    if (refund) refund.status = status;
    if (refund && status === "failed") refund.failure_reason = "lost_or_stolen_card";
  }

  /** POST /_sim/refund {"id", "status"}, GET /_sim/refunds. */
  control(request: SimulatedRequest): SimulatedAnswer | null {
    const route = `${request.method} ${request.path}`;
    if (route === "GET /_sim/refunds") return { status: 200, body: [...this.refunds.values()] };
    if (route !== "POST /_sim/refund") return null;
    const { id, status } = givenIn(request);
    this.end(String(id), String(status));
    return { status: 200, body: {} };
  }

  clear(): void {
    this.refunds.clear();
    this.disputed.clear();
  }
}
