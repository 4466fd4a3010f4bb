import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hundredths, processingFee } from "#contract/amount.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { BookedSeller } from "../testing/payments/booked-seller.ts";
import { useTestService } from "../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });

it("the ledger has the expected balances after every step of random payments, refunds and reversals", async () => {
  const steps = fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      const seller = await BookedSeller.open(service, fake);
      await seller.addProvider();
      const book = new ExpectedBook(seller);
      for (const step of taken) {
        await book.play(step);
        expect(await seller.balances(), taken.join(", ")).toEqual(book.balances());
      }
    }),
    { numRuns: 2 },
  );
});

const STEPS = [
  "pay",
  "pay",
  "pay twice",
  "record",
  "give back",
  "by hand",
  "refuse",
  "reverse",
  "provider",
] as const;

/** The expected balances, calculated apart from the ledger. */
class ExpectedBook {
  private readonly seller: BookedSeller;
  private readonly sums = new Map<string, bigint>();
  private readonly paid: { payment: string; reference: string; left: bigint; told: bigint }[] =
    [];
  private readonly recorded: { payment: string; id: string; left: bigint }[] = [];
  private buyerCount = 0;

  constructor(seller: BookedSeller) {
    this.seller = seller;
  }

  balances(): Record<string, string> {
    const text = (sum: bigint) => {
      const digits = String(sum < 0n ? -sum : sum).padStart(3, "0");
      return `${sum < 0n ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
    };
    return Object.fromEntries(
      [...this.sums].filter(([, sum]) => sum !== 0n).map(([name, sum]) => [name, text(sum)]),
    );
  }

  private add(sums: Record<string, string | bigint>) {
    for (const [name, sum] of Object.entries(sums)) {
      const units = typeof sum === "bigint" ? sum : (hundredths(sum) ?? 0n);
      this.sums.set(name, (this.sums.get(name) ?? 0n) + units);
    }
  }

  async play(step: (typeof STEPS)[number]) {
    if (step === "pay" || step === "pay twice") return this.pay(step === "pay twice");
    if (step === "record") return this.record();
    const last = this.paid.findLast(({ left }) => left >= 3000n);
    const cash = this.recorded.findLast(({ left }) => left >= 3000n);
    if (step === "give back" && last && last.told === 0n) {
      await this.seller.giveBack(last.payment, "12.34");
      last.left -= 1234n;
      this.add({ refunds: 1234n, fake: -1234n });
    } else if (step === "provider" && last && last.left === 113000n - last.told) {
      last.told += 1500n;
      last.left -= 1500n;
      await this.seller.tellRefunded(last.reference, `${last.told / 100n}.00`);
      this.add({ refunds: 1500n, fake: -1500n });
    } else if ((step === "by hand" || step === "refuse") && cash) {
      await this.seller.endByHand(cash.payment, "20.01", step === "by hand");
      if (step === "refuse") return;
      cash.left -= 2001n;
      this.add({ refunds: 2001n, cash: -2001n });
    } else if (step === "reverse" && cash?.left === 113000n) {
      await this.seller.reverse(cash.id);
      cash.left = 0n;
      this.add({ cash: -113000n, seller: 113000n });
    }
  }

  private async open() {
    this.buyerCount += 1;
    const phone = `98000000${10 + this.buyerCount}`;
    return (await this.seller.api.create(this.seller.api.periods.monthly, { phone }))
      .subscription_id;
  }

  private async pay(isTwice: boolean) {
    const id = await this.open();
    const reference = await this.seller.goToProvider(id);
    service.clock.advance(31_000);
    const second = isTwice ? await this.seller.goToProvider(id) : null;
    fake.refunding = { state: "done", refund_id: randomUUID() };
    fake.answer("approve", reference);
    await this.seller.askAfter();
    if (second !== null) {
      fake.answer("approve", second);
      await this.seller.askAfter(60_000);
      await this.seller.askAfter(60_000);
      // Money that was not owed went back; the fee stayed.
      this.add({ fake: -500n, provider_fee: "5.00" });
    }
    const fee = hundredths(processingFee("1130.00")) ?? 0n;
    this.add({ fake: "1125.00", provider_fee: "5.00", our_fee: -fee, seller: fee - 113000n });
    const [payment] = await this.seller.payments();
    this.paid.push({ payment: payment?.payment_id ?? "", reference, left: 113000n, told: 0n });
  }

  private async record() {
    const { id, payment_id } = await this.seller.recordCash(await this.open());
    this.add({ cash: "1130.00", seller: -113000n });
    this.recorded.push({ payment: payment_id ?? "", id, left: 113000n });
  }
}
