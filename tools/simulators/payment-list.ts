import { givenIn, type SimulatedAnswer, type SimulatedRequest } from "./gateway-simulator.ts";
import type { PaymentBook, SimulatedPayment } from "./payment-book.ts";

/** A provider's list of payments, newest first, with the irregularities that a test sets. */
export class SimulatedList {
  /** Rows of a page. */
  size = 100;
  /** Whether each page repeats the last row of the one before, as when a payment arrived in between. */
  overlaps = false;
  /** Rows of payments that other programs began, as the provider would send them. */
  readonly others: object[] = [];
  private readonly book: PaymentBook;
  private readonly row: (payment: SimulatedPayment) => object;

  constructor(book: PaymentBook, row: (payment: SimulatedPayment) => object) {
    this.book = book;
    this.row = row;
  }

  all(): object[] {
    const payments = [...this.book.payments.values()].reverse();
    return [...this.others, ...payments.map((payment) => this.row(payment))];
  }

  /** @param from the place of the first row; the pages after the first one may overlap */
  page(from: number): { rows: object[]; isLast: boolean } {
    const all = this.all();
    const first = this.overlaps && from > 0 ? from - 1 : from;
    return { rows: all.slice(first, from + this.size), isLast: from + this.size >= all.length };
  }

  clear(): void {
    this.size = 100;
    this.overlaps = false;
    this.others.length = 0;
  }

  /** POST /_sim/list {"size", "overlaps", "others": rows of the provider's own form}. */
  control(request: SimulatedRequest): SimulatedAnswer | null {
    if (`${request.method} ${request.path}` !== "POST /_sim/list") return null;
    const { size = this.size, overlaps = this.overlaps, others = [] } = givenIn(request);
    this.size = Number(size);
    this.overlaps = overlaps === true;
    if (Array.isArray(others)) this.others.push(...(others as object[]));
    return { status: 200, body: {} };
  }
}
