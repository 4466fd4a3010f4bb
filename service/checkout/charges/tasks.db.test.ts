import { expect, it } from "vitest";
import type { InquiryAnswer } from "../../providers/provider.ts";
import { requestCode, submitCodePage } from "../../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { askDueCharges } from "../../testing/payment-steps.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });

async function begin() {
  const api = await SellerApi.open(service);
  await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  await submitCodePage(service, id, await requestCode(service, id, { method: "fake" }));
  const reference = fake.begun.at(-1)?.reference ?? "";
  const status = async () => (await api.read(id)).status;
  /** Has the provider answer so from now on, and asks it about the charge. */
  const hear = async (answer: InquiryAnswer | "approve") => {
    fake.answer(answer, reference);
    service.clock.advance(15_000);
    await service.pool.query("update charge set next_at = begun_at where reference = $1", [
      reference,
    ]);
    await askDueCharges(service);
    const { rows } = await service.pool.query<{ text: string }>(
      `select concat_ws(' ', kind, decision, detail, answered_amount::text) as text
       from payment_task where subscription_id = $1 order by opened_at, kind`,
      [id],
    );
    return rows.map(({ text }) => text);
  };
  return { hear, status };
}

const approved = (amount: string) =>
  ({
    state: "approved",
    amount,
    currency: "NPR",
    transaction_id: "t",
    fee: null,
    at: null,
  }) as const;

it("a held charge has one open task, which shows the provider's newest answer and closes when the hold ends", async () => {
  const { hear, status } = await begin();
  expect(await hear(approved("1129.99"))).toEqual(["held 1129.99 NPR 1129.99"]);
  expect(await hear({ state: "held", word: "AMBIGUOUS" })).toEqual(["held AMBIGUOUS"]);
  expect(await hear({ state: "pending" })).toEqual(["held settled AMBIGUOUS"]);
  expect(await hear({ state: "held", word: "?" })).toEqual([
    "held settled AMBIGUOUS",
    "held ?",
  ]);
  expect(await hear("approve")).toEqual(["held settled AMBIGUOUS", "held settled ?"]);
  expect(await status()).toBe("active");
});

it.each<[string, InquiryAnswer, string]>([
  [
    "was refunded in part",
    { state: "refunded", amount: "100.00" },
    "refunded_by_provider 100.00",
  ],
  ["was refunded", { state: "refunded", amount: null }, "refunded_by_provider 1130.00"],
  [
    "has the word of a partial refund",
    { state: "held", word: "PARTIAL_REFUND" },
    "refunded_by_provider PARTIAL_REFUND",
  ],
  ["is disputed", { state: "held", word: "disputed" }, "disputed disputed"],
  [
    "is disputed in part",
    { state: "held", word: "disputed", amount: "30.00" },
    "disputed disputed 30.00",
  ],
  ["is denied", { state: "left" }, "denied left"],
])(
  "a paid charge that, according to the provider, %s opens one task and stays paid",
  async (_, answer, task) => {
    const { hear, status } = await begin();
    expect(await hear("approve")).toEqual([]);
    expect(await hear(answer)).toEqual([task]);
    expect(await hear(answer)).toEqual([task]);
    expect(await status()).toBe("active");
  },
);

it("a dispute is a task until the seller wins; if a member closed the task, a loss opens a new task", async () => {
  const { hear, status } = await begin();
  await hear("approve");
  const said = (state: "open" | "won" | "lost", taken: string) =>
    ({
      ...({ state: "held", word: "disputed", amount: "30.00" } as const),
      dispute: { state, taken, fee: null },
    }) as const;
  expect(await hear(said("open", "0.00"))).toEqual(["disputed asked 30.00"]);
  expect(await hear(said("open", "30.00"))).toEqual(["disputed disputed 30.00"]);
  const { rows } = await service.pool.query<{ days: number }>(
    `select round(extract(epoch from next_at - $1) / 86400)::int as days from charge where dispute = 'open'`,
    [service.clock.now()],
  );
  expect(rows).toEqual([{ days: 1 }]);
  expect(await hear({ ...approved("1130.00"), dispute: said("won", "0.00").dispute })).toEqual([
    "disputed settled disputed 30.00",
  ]);
  await hear(said("open", "30.00"));
  await service.pool.query(
    `update payment_task set closed_at = opened_at, closed_by_id = '1', closed_by = 'Sita', decision = 'noted'
     where closed_at is null and kind = 'disputed'`,
  );
  expect(await hear(said("open", "30.00"))).toHaveLength(2);
  expect((await hear(said("lost", "30.00"))).toSorted()).toEqual([
    "disputed lost 30.00",
    "disputed noted disputed 30.00",
    "disputed settled disputed 30.00",
  ]);
  expect(await status()).toBe("active");
});
