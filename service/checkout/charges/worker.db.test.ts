import { expect, it } from "vitest";
import { postForm, requestCode, submitCodePage } from "../../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";
import { paymentContext } from "../provider.ts";
import { PAYMENTS_CHANNEL } from "./store.ts";
import { createPaymentWorker } from "./worker.ts";

const service = useTestService("test", { providers: [new FakeProvider().adapter()] });

it.each([
  ["before it was handed over", "delete from charge where attempt_id = $1"],
  [
    "as its provider was asked to begin",
    `update charge set state = 'claimed', reference = null, hand_over = null,
       leased_until = begun_at + interval '1 minute', next_at = begun_at + interval '1 minute'
     where attempt_id = $1`,
  ],
])(
  "a payment attempt whose process died %s is marked as failed by the worker",
  async (_, died) => {
    const api = await SellerApi.open(service);
    await addFakeAccount(service, api.seller);
    const { subscription_id: id } = await api.create();
    const attempt = await requestCode(service, id, { method: "fake" });
    await submitCodePage(service, id, attempt);
    await service.pool.query(died, [attempt]);
    service.clock.advance(360_000);
    const worker = createPaymentWorker({ payments: paymentContext(service.context) });
    await worker.sweep();
    await worker.close();
    const { rows } = await service.pool.query(
      "select state, reason from checkout_attempt where attempt_id = $1",
      [attempt],
    );
    expect(rows).toEqual([{ state: "failed", reason: "left" }]);
    // The charge does not stay due, which would keep the account from newer charges.
    const due = "select state from charge where attempt_id = $1 and next_at is not null";
    expect((await service.pool.query(due, [attempt])).rows).toEqual([]);
    const next = await postForm(service, `/pay/${id}/code`, { method: "fake" });
    expect(next.outcome).toBeNull();
  },
);

it("the start of a charge notifies the listening workers", async () => {
  const api = await SellerApi.open(service);
  await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  const attempt = await requestCode(service, id, { method: "fake" });
  const listener = await service.pool.connect();
  const told = new Promise((done) => listener.once("notification", done));
  await listener.query(`listen ${PAYMENTS_CHANNEL}`);
  await submitCodePage(service, id, attempt);
  await told;
  listener.release(true);
});
