import { expect, it } from "vitest";
import { postForm, requestCode, submitCodePage } from "../../testing/checkout-forms.ts";
import { addFakeAccount, FakeProvider } from "../../testing/fake-provider.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";
import { paymentContext } from "../provider.ts";
import { createPaymentWorker } from "./worker.ts";

const service = useTestService("test", { providers: [new FakeProvider().adapter()] });

it("an attempt whose process died before it was handed over ends by itself", async () => {
  const api = await SellerApi.open(service);
  await addFakeAccount(service, api.seller);
  const { subscription_id: id } = await api.create();
  const attempt = await requestCode(service, id, { method: "fake" });
  await submitCodePage(service, id, attempt);
  await service.pool.query("delete from charge where attempt_id = $1", [attempt]);
  service.clock.advance(360_000);
  const worker = createPaymentWorker({ payments: paymentContext(service.context) });
  await worker.sweep();
  await worker.close();
  const { rows } = await service.pool.query(
    "select state, reason from checkout_attempt where attempt_id = $1",
    [attempt],
  );
  expect(rows).toEqual([{ state: "failed", reason: "left" }]);
  const next = await postForm(service, `/pay/${id}/code`, { method: "fake" });
  expect(next.outcome).toBeNull();
});
