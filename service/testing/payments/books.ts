import type { SimulatedPayment } from "#tools/simulators/payment-book.ts";
import type { startPaymentSimulators } from "#tools/simulators/start-payment-simulators.ts";

export type PaymentSimulators = Awaited<ReturnType<typeof startPaymentSimulators>>;
export const PROVIDERS = [
  "khalti",
  "esewa",
  "connectips",
  "fonepay",
  "fonepay_qr",
  "stripe",
] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** The two ways of Fonepay share one book. */
const BOOKS = ["khalti", "esewa", "connectips", "fonepay", "stripe"] as const;

const GIVEN_BACK = ["Refunded", "FULL_REFUND", "REVERSED", "reversed"];
const PUZZLES: Record<ProviderName, string> = {
  khalti: "Under review",
  esewa: "AMBIGUOUS",
  connectips: "DEFERRED",
  fonepay: "reviewing",
  fonepay_qr: "reviewing",
  stripe: "disputed",
};
const TWISTS: Record<ProviderName, Record<string, Record<string, unknown>>> = {
  khalti: { amount: { total_amount: 12_345 }, word: { status: "Under review" } },
  esewa: { amount: { total_amount: 123.45 }, word: { status: "AMBIGUOUS" } },
  connectips: { amount: { txnAmt: "12345" }, word: { status: "DEFERRED" } },
  fonepay: {
    amount: { requestedAmount: 123.45, totalTransactionAmount: 123.45 },
    word: { paymentStatus: "reviewing" },
  },
  fonepay_qr: { word: { paymentStatus: "reviewing" } },
  stripe: {
    amount: { amount_total: 12_345 },
    currency: { currency: "usd" },
    word: { status: "reviewing" },
  },
};

/** The payments and refunds in the simulated providers. */
export class ProviderBooks {
  readonly simulators: PaymentSimulators;
  /** Parts that a person gave back in a portal, in the smallest unit. */
  private readonly byHand = new Map<string, bigint>();
  /** Payments that the provider gave back without being asked. */
  readonly undone = new Set<string>();

  constructor(simulators: PaymentSimulators) {
    this.simulators = simulators;
  }

  of(provider: ProviderName) {
    return this.simulators.providers[provider].book;
  }

  find = (provider: ProviderName, reference: string): SimulatedPayment | undefined =>
    this.of(provider).payments.get(reference);

  /** All payments whose money was taken. */
  taken() {
    return BOOKS.flatMap((provider) =>
      [...this.of(provider).payments.values()]
        .filter(({ transaction }) => transaction !== null)
        .map((payment) => ({ provider, payment, back: this.backOf(provider, payment) })),
    );
  }

  /** The refunded part of a payment, in the smallest unit. */
  backOf(provider: ProviderName, payment: SimulatedPayment): bigint {
    const { reference, word, units } = payment;
    const handed = this.byHand.get(reference) ?? 0n;
    if (provider === "stripe")
      return BigInt(this.simulators.stripeRefunds.amountOf(payment)) + handed;
    return (GIVEN_BACK.includes(word) ? units : 0n) + handed;
  }

  /** A person gives back a part, or all that is left, in the provider's portal. */
  giveBackByHand(provider: ProviderName, payment: SimulatedPayment, units: bigint) {
    const { reference } = payment;
    if (units === payment.units && !this.disputeOf(provider, payment))
      this.of(provider).decide(reference, "refund");
    else this.byHand.set(reference, (this.byHand.get(reference) ?? 0n) + units);
  }

  /** The provider gives a payment back without being asked. */
  undo(provider: ProviderName, { reference }: SimulatedPayment) {
    this.undone.add(reference);
    this.of(provider).decide(reference, "refund");
  }

  /** The dispute of a payment, with what the provider keeps in the smallest unit; null for none. */
  disputeOf(provider: ProviderName, payment: SimulatedPayment) {
    return provider === "stripe" ? this.simulators.stripeRefunds.disputeOf(payment) : null;
  }

  /** @returns whether the dispute can take that turn */
  dispute(payment: SimulatedPayment, word: string): boolean {
    const after: Record<string, string[]> = {
      paid: ["dispute_asked", "disputed"],
      dispute_asked: ["disputed", "dispute_won"],
      disputed: ["dispute_won", "dispute_lost"],
    };
    if (!after[payment.word]?.includes(word)) return false;
    this.of("stripe").say(payment.reference, word);
    return true;
  }

  puzzle(provider: ProviderName, reference: string) {
    this.of(provider).say(reference, PUZZLES[provider]);
  }

  twist(provider: ProviderName, how: string) {
    const fields = TWISTS[provider][how] ?? TWISTS[provider].word;
    if (fields) this.of(provider).answerNext(fields);
  }

  setClock(now: Date) {
    for (const provider of BOOKS)
      this.of(provider).setClock((now.getTime() - Date.now()) / 1_000);
  }

  /** From now on all providers answer as documented, and waiting refunds succeed. */
  calm() {
    for (const provider of BOOKS) {
      this.simulators.providers[provider].simulator.calm();
      this.of(provider).calm();
    }
    for (const { id, status } of this.simulators.stripeRefunds.refunds.values())
      if (status === "pending") this.simulators.stripeRefunds.end(id, "succeeded");
  }
}
