import { describe, expect, it } from "vitest";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { abandonCheckouts } from "./abandon.ts";

const service = useTestService();
const HOUR = 60 * 60 * 1000;
const sweep = () => abandonCheckouts(service.pool, service.clock.now());
const ABANDONED = "checkout.failed: pending_checkout > pending_checkout (abandoned)";

describe("Spec choice, failed payments: an unfinished checkout", () => {
  it("is abandoned after 24 hours with a single event, and the buyer can still pay at the link", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    service.clock.advance(24 * HOUR - 1);
    await sweep();
    expect(await api.events(id)).toEqual([]);
    service.clock.advance(1);
    await sweep();
    service.clock.advance(72 * HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([ABANDONED]);
    expect(await api.pay(id)).toBe("paid");
  });

  it("is abandoned 24 hours after the buyer last requested a code", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    service.clock.advance(23 * HOUR);
    await requestCode(service, id);
    service.clock.advance(23 * HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([]);
    service.clock.advance(HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([ABANDONED]);
  });

  it("is abandoned a day after the provider answers that the buyer left, and not while that answer is pending", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    const { reference } = await submitCodePage(service, id, await requestCode(service, id));
    await choosePaymentOutcome(service, reference, "abandon");
    service.clock.advance(30 * HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([]);
    await notifyOfPayment(service, reference);
    await notifyOfPayment(service, reference);
    service.clock.advance(24 * HOUR);
    await sweep();
    expect(await api.events(id)).toEqual([ABANDONED]);
  });

  it("gets one abandonment event from three concurrent sweeps, dated 24 hours after the checkout began", async () => {
    const api = await SellerApi.open(service);
    for (let index = 0; index < 130; index += 1)
      await api.create(api.periods.monthly, { phone: `98${String(index).padStart(8, "0")}` });
    const due = service.clock.now().getTime() + 24 * HOUR;
    service.clock.advance(40 * HOUR);
    const counts = await Promise.all([sweep(), sweep(), sweep()]);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(130);
    const { rows } = await service.pool.query<{ created_at: Date }>(
      "select created_at from event where seller_id = $1 and reason = 'abandoned'",
      [api.seller.seller_id],
    );
    expect(rows).toHaveLength(130);
    expect(new Set(rows.map(({ created_at }) => created_at.getTime()))).toEqual(new Set([due]));
  });

  it("is abandoned after 24 hours on the clock of a sandbox seller", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id: id } = await api.create();
    await service.pool.query("update seller set clock_offset_ms = $2 where seller_id = $1", [
      api.seller.seller_id,
      25 * HOUR,
    ]);
    await sweep();
    expect(await api.events(id)).toEqual([ABANDONED]);
  });
});
