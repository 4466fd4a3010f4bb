import { describe, expect, it } from "vitest";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";

const service = useTestService();

const open = async (id: string, query = "") => {
  const { body } = await service.call(null, { url: `/pay/${id}${query}` });
  return body.replace(/\s+/g, " ");
};

/** Presses "Start again" on an old link. @returns where the buyer goes */
async function press(id: string, pbp_id: string) {
  const answer = await service.call(null, {
    method: "POST",
    url: `/pay/${id}/again`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    payload: new URLSearchParams({ pbp_id }).toString(),
  });
  expect(answer.statusCode).toBe(303);
  return String(answer.headers.location).replace(/^\/pay\//, "");
}

async function openEnded() {
  const api = await SellerApi.open(service);
  const id = await api.createActive();
  await api.wait(60);
  expect((await api.read(id)).status).toBe("inactive");
  return { api, id };
}

const archive = (pbp_id: string) =>
  service.pool.query("update billing_period set is_archived = true where pbp_id = $1", [
    pbp_id,
  ]);

const offeredPeriods = (body: string) =>
  [...body.matchAll(/name="pbp_id" value="([^"]+)"/g)].map(([, id]) => id);

describe("the old link of an ended subscription", () => {
  it("starts the subscription again at today's price with the buyer's newest details, and does not show those details", async () => {
    const { api, id } = await openEnded();
    const { pbp_id } = (await api.read(id)).product;
    // The buyer's later purchase has newer details.
    await api.createActive(api.periods.once, {
      full_name: "Asmita Rai Thapa",
      address: "Kirtipur",
    });
    await service.pool.query(
      `insert into offer (id, pbp_id, seller_id, discount_amount, starts_at, valid_until)
       values (gen_random_uuid(), $1, $2, 100, '2026-01-01', '2027-12-31')`,
      [pbp_id, api.seller.seller_id],
    );
    const page = await open(id);
    expect(page).toContain("You can start it again");
    expect(page).toContain("1,017.00");
    const next = await press(id, pbp_id);
    expect(await api.read(next)).toMatchObject({
      status: "pending_checkout",
      client: { full_name: "Asmita Rai Thapa", address: "Kirtipur", phone: "9800000001" },
      product: { pbp_id },
    });
    for (const body of [page, await open(next)])
      for (const known of ["Asmita", "Thapa", "asmita@", "9800000001", "Kirtipur"])
        expect(body).not.toContain(known);
    expect(await api.pay(next)).toBe("paid");
    expect((await api.read(id)).status).toBe("inactive");
  });

  it("leads to one new checkout for eight presses at once, and a later press does not change that checkout", async () => {
    const { api, id } = await openEnded();
    const { pbp_id } = (await api.read(id)).product;
    const [first = "", ...others] = await Promise.all(
      Array.from({ length: 8 }, () => press(id, pbp_id)),
    );
    expect(new Set(others)).toEqual(new Set([first]));
    await api.requestCreate(pbp_id, { full_name: "Asmita Thapa" });
    expect(await press(id, pbp_id)).toBe(first);
    expect((await api.read(first)).client.full_name).toBe("Asmita Thapa");
    expect((await api.list("?status=pending_checkout")).count).toBe(1);
  });

  it("offers the plan's other billing periods if the old period is archived, and changes the new checkout at most once a minute", async () => {
    const { api, id } = await openEnded();
    const { pbp_id } = (await api.read(id)).product;
    const { rows } = await service.pool.query<{ pbp_id: string }>(
      `insert into billing_period (pbp_id, plan_id, seller_id, interval_type, interval_count, label, price,
         currency, is_current, is_vat_active, vat_type, vat_percentage, period_order)
       select 'again_' || n || '_' || b.seller_id, plan_id, seller_id, interval_type, n, 'Every ' || n || ' months',
         n * 900, currency, true, is_vat_active, vat_type, vat_percentage, n
       from billing_period b, generate_series(2, 3) n where b.pbp_id = $1 returning pbp_id`,
      [pbp_id],
    );
    const [two = "", three = ""] = rows.map((row) => row.pbp_id);
    await archive(pbp_id);
    const page = await open(id);
    expect(offeredPeriods(page)).toEqual(expect.arrayContaining([two, three]));
    expect(offeredPeriods(page)).not.toContain(pbp_id);
    expect(await press(id, pbp_id)).toBe(`${id}?outcome=refused`);
    const next = await press(id, two);
    expect(await press(id, three)).toBe(`${id}?outcome=too_soon`);
    expect(await open(id, "?outcome=too_soon")).toContain("Wait a minute");
    expect((await api.read(next)).product.pbp_id).toBe(two);
    service.clock.advance(61_000);
    expect(await press(id, three)).toBe(next);
    expect((await api.read(next)).product.pbp_id).toBe(three);
  });

  it("does not restart a running or already restarted subscription, or accept another seller's billing period", async () => {
    const { api, id } = await openEnded();
    const { pbp_id } = (await api.read(id)).product;
    const other = await SellerApi.open(service);
    expect(await press(id, other.periods.monthly)).toBe(`${id}?outcome=refused`);
    const running = await api.createActive(pbp_id);
    expect(await press(running, pbp_id)).toBe(`${running}?outcome=refused`);
    expect(await press(id, pbp_id)).toBe(`${id}?outcome=refused`);
    expect(await open(id, "?outcome=refused&lang=ne")).toContain("फेरि सुरु गर्न मिलेन");
    for (const url of ["/pay/x/again", "/pay/11111111-1111-4111-8111-111111111111/again"]) {
      const answer = await service.call(null, { method: "POST", url, payload: { pbp_id } });
      expect(answer.statusCode).toBe(404);
    }
  });

  it("offers no restart if the product is off sale or the seller's account is suspended", async () => {
    const { api, id } = await openEnded();
    await service.pool.query("update seller set kyc_verified = false where seller_id = $1", [
      api.seller.seller_id,
    ]);
    expect(await open(id)).not.toContain("<form");
    await service.pool.query("update seller set kyc_verified = true where seller_id = $1", [
      api.seller.seller_id,
    ]);
    expect(await open(id)).toContain("<form");
    await service.pool.query("update product set is_active = false where seller_id = $1", [
      api.seller.seller_id,
    ]);
    const page = await open(id);
    expect(page).not.toContain("<form");
    expect(page).toContain("Ask the seller for a new link");
  });
});
