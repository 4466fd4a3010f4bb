import { beforeEach, describe, expect, test } from "vitest";
import { SubscriptionPage } from "#contract/subscriptions.ts";
import { transaction } from "../db/database.ts";
import { sweepAll } from "../lifecycle/run.ts";
import { changePrice, CatalogueError } from "../products/price.ts";
import {
  choosePaymentOutcome,
  notifyOfPayment,
  requestCode,
  submitCodePage,
} from "../testing/checkout-forms.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import {
  beginMove,
  beginUndo,
  countSubscribers,
  previewMove,
  spreadMove,
} from "./period-move.ts";

const service = useTestService();
let api: SellerApi;
let from: string;
let to: string;

beforeEach(async () => {
  api = await SellerApi.open(service);
  from = api.periods.monthly;
});

const subscribe = (buyer: number) =>
  api.createActive(from, { phone: `98000000${String(buyer).padStart(2, "0")}` });

/** Raises the price from NPR 1,130.00 to 1,356.00 with VAT. */
async function raise() {
  const place = { sellerId: api.seller.seller_id, pbpId: from };
  to = await transaction(service.pool, (database) =>
    changePrice(database, place, { price: "1200.00" }),
  );
}
async function move(wanted: { from?: string; to?: string } = {}) {
  const now = service.clock.now();
  const begun = await beginMove(service.pool, api.seller, { from, ...wanted }, now);
  for (let times = 0; times < 2; times += 1)
    await spreadMove(service.pool, api.seller.seller_id, begun.id);
  return begun;
}
async function undo(moveId: number) {
  const undone = await beginUndo(service.pool, api.seller, moveId, service.clock.now());
  await spreadMove(service.pool, api.seller.seller_id, moveId);
  return undone;
}

async function payEarly(id: string, outcome = "approve") {
  const url = `/sandbox/subscriptions/${id}/pay/`;
  return (await api.post(url, { outcome, method: "bank" })).json<{ result: string }>().result;
}

async function asked(id: string) {
  const { body } = await service.call(null, { url: `/pay/${id}?early=1` });
  return /To pay NPR ([\d,.]+)/.exec(
    body.replace(/<[^>]*>|\s+/g, " ").replace(/ +/g, " "),
  )?.[1];
}

const paid = async (id: string) =>
  (
    await service.pool.query<{ amount: string }>(
      "select amount::text as amount from payment where subscription_id = $1 order by paid_at",
      [id],
    )
  ).rows.map(({ amount }) => amount);

describe("a move of subscribers to another price", () => {
  test("is previewed with the number of subscribers, days and amounts, and the preview changes nothing", async () => {
    const ids = [await subscribe(1), await subscribe(2)];
    service.clock.advance(86_400_000);
    await subscribe(3);
    await raise();
    const preview = await previewMove(service.pool, api.seller, { from }, service.clock.now());
    expect(preview).toEqual({
      from,
      to,
      subscribers: 3,
      staying: 0,
      first_day: "2026-04-10",
      last_day: "2026-04-11",
      before: { currency: "NPR", amount: "3390.00" },
      after: { currency: "NPR", amount: "4068.00" },
    });
    for (const id of ids) expect(await asked(id)).toBe("1,130.00");
  });

  test("charges the new price from the next billing date on", async () => {
    const id = await subscribe(1);
    await raise();
    expect(await move()).toMatchObject({ subscribers: 1 });
    expect((await api.read(id)).product).toMatchObject({ pbp_id: from, price: "1000.00" });
    await api.wait(33);
    expect(await api.read(id)).toMatchObject({
      status: "due",
      product: { pbp_id: to, price: "1200.00" },
    });
    expect(await asked(id)).toBe("1,356.00");
    expect(await api.pay(id)).toBe("paid");
    expect(await paid(id)).toEqual(["1130.00", "1356.00"]);
    await api.wait(31);
    expect(await asked(id)).toBe("1,356.00");
  });

  test("leaves the old billing period's price unchangeable after all subscribers have moved", async () => {
    const id = await subscribe(1);
    await raise();
    await move();
    await api.wait(33);
    expect((await api.read(id)).product.pbp_id).toBe(to);
    const place = { sellerId: api.seller.seller_id, pbpId: from };
    await expect(changePrice(service.pool, place, { price: "1.00" })).rejects.toThrow(
      CatalogueError,
    );
    const answer = await api.call({ url: "/account/v1/subscription-changes/" });
    expect(answer.json().results.at(0)).toMatchObject({ before: { price: "1000.00" } });
  });

  test("charges the new price for an early renewal, and once due even before the sweep runs", async () => {
    const [early, late] = [await subscribe(1), await subscribe(2)];
    await raise();
    await move();
    expect(await asked(early)).toBe("1,356.00");
    expect(await payEarly(early, "decline")).toBe("failed");
    expect((await api.read(early)).product.pbp_id).toBe(from);
    service.clock.advance(40 * 86_400_000);
    expect(await asked(late)).toBeUndefined();
    service.clock.advance(-7 * 86_400_000);
    expect(await asked(late)).toBe("1,356.00");
    expect((await api.read(late)).product.pbp_id).toBe(from);
  });

  test("lets a due subscription pay the old price once before the new price applies", async () => {
    const id = await subscribe(1);
    await api.wait(33);
    await raise();
    const moved = await move();
    expect(moved).toMatchObject({ subscribers: 1, first_day: "2026-05-10" });
    expect(await asked(id)).toBe("1,130.00");
    expect(await api.pay(id)).toBe("paid");
    expect((await api.read(id)).product.pbp_id).toBe(from);
    expect(await asked(id)).toBe("1,356.00");
    await api.wait(30);
    expect(await api.pay(id)).toBe("paid");
    expect(await paid(id)).toEqual(["1130.00", "1130.00", "1356.00"]);
  });

  test.each(["moved", "moved back"])(
    "keeps the price of a payment in progress even if the buyer is %s before the provider answers",
    async (change) => {
      const id = await subscribe(1);
      await raise();
      const before = change === "moved back" ? await move() : null;
      const attempt = await requestCode(service, id, { early: "1" });
      const { reference } = await submitCodePage(service, id, attempt);
      if (before) await undo(before.id);
      else await move();
      await choosePaymentOutcome(service, reference, "approve");
      for (let notices = 0; notices < 2; notices += 1)
        await notifyOfPayment(service, reference);
      expect(await paid(id)).toEqual(before ? ["1130.00"] : ["1130.00", "1130.00"]);
      expect((await api.read(id)).product.pbp_id).toBe(from);
      expect(await asked(id)).toBe(before ? "1,130.00" : "1,356.00");
    },
  );

  test("can be undone for subscribers who have not yet been billed at the new price", async () => {
    const early = await subscribe(1);
    service.clock.advance(5 * 86_400_000);
    const [payer, late] = [await subscribe(2), await subscribe(3)];
    await raise();
    const { id } = await move();
    expect(await payEarly(payer)).toBe("paid");
    expect((await api.read(payer)).product.pbp_id).toBe(to);
    await api.wait(27);
    expect(await undo(id)).toEqual({ id, undone: 1 });
    await spreadMove(service.pool, api.seller.seller_id, id);
    await api.wait(2);
    expect(await asked(early)).toBe("1,356.00");
    expect(await asked(payer)).toBe("1,356.00");
    expect(await asked(late)).toBe("1,130.00");
    expect(await undo(id)).toEqual({ id, undone: 0 });
  });

  test("is completed by the sweep if the request missed some subscribers, and an undo is completed too", async () => {
    await subscribe(1);
    await service.pool.query("update seller set last_position = 5000 where seller_id = $1", [
      api.seller.seller_id,
    ]);
    const newest = await subscribe(2);
    await raise();
    const account = await withAccountToken(service, api.seller);
    const call = async (url: string, payload: object) =>
      (
        await service.call(account, {
          method: "POST",
          url: `/account/v1/moves/${url}`,
          payload,
        })
      ).json<{ id: number; undone: number }>();
    const early = await asked(newest);
    const { id } = await call("", { from });
    expect(await asked(newest)).toBe(early);
    const sweep = () => sweepAll({ ...service.context, abandonedAfter: 86_400_000 });
    await sweep();
    expect([early, await asked(newest)]).toEqual(["1,130.00", "1,356.00"]);
    const { product_id } = (await api.read(newest)).product;
    const now = service.clock.now();
    const counts = await countSubscribers(service.pool, api.seller, product_id, now);
    expect(counts.find(({ pbp_id }) => pbp_id === from)).toEqual({
      pbp_id: from,
      subscribers: 2,
      move: { id, to, waiting: 2 },
    });
    expect(await call(`${id}/undo/`, {})).toMatchObject({ undone: 2 });
    await sweep();
    const { rows } = await service.pool.query(
      "select from subscription where seller_id = $1 and move_id is not null",
      [api.seller.seller_id],
    );
    expect(rows).toEqual([]);
  });

  test("uses the newest price after several price changes, and is refused for another seller", async () => {
    const [both] = [await subscribe(1), await subscribe(2)];
    await raise();
    const second = to;
    await api.createActive(second, { phone: "9800000001" });
    await transaction(service.pool, (database) =>
      changePrice(
        database,
        { sellerId: api.seller.seller_id, pbpId: second },
        { price: "1300.00" },
      ),
    );
    expect(await move()).toMatchObject({
      subscribers: 2,
      staying: 0,
      after: { amount: "2938.00" },
    });
    expect(await asked(both)).toBe("1,469.00");
    const other = await SellerApi.open(service);
    await expect(
      previewMove(service.pool, other.seller, { from }, service.clock.now()),
    ).rejects.toThrow(CatalogueError);
  });

  test("leaves out a buyer who already has a subscription of the new billing period", async () => {
    await subscribe(1);
    await raise();
    await api.createActive(to, { phone: "9800000001" });
    expect(await move()).toMatchObject({ subscribers: 0, staying: 1, first_day: null });
  });

  test("can move 450 subscribers, and can be undone for all of the subscribers", async () => {
    const rows = 450;
    await service.pool.query(
      `with buyer as (
         insert into customer (seller_id, buyer_phone, phone_key, buyer_email, full_name, address,
           created_at)
         select $1, n::text, n::text, 'a@example.com', 'A', 'B', now()
         from generate_series(1, $2::int) n returning id, phone_key)
       insert into subscription (subscription_id, seller_id, position, customer_id, product_id,
         plan_id, pbp_id, is_one_time, status, phone, full_name, email, address, return_url,
         created_at, next_billing_cycle)
       select gen_random_uuid(), $1, phone_key::int, id, l.product_id, l.plan_id, b.pbp_id, false,
         'active', '', '', '', '', '', now(), '2026-04-01T06:15:00Z'
       from buyer, billing_period b join plan l using (plan_id) where b.pbp_id = $3`,
      [api.seller.seller_id, rows, from],
    );
    await service.pool.query("update seller set last_position = $2 where seller_id = $1", [
      api.seller.seller_id,
      rows,
    ]);
    await raise();
    const moved = await move();
    expect(moved).toMatchObject({
      subscribers: rows,
      before: { amount: "508500.00" },
      after: { amount: "610200.00" },
    });
    expect(await undo(moved.id)).toMatchObject({ undone: rows });
  });

  test("needs an archived billing period and one on sale, of the same plan and interval", async () => {
    await expect(move({ to: api.periods.yearly })).rejects.toThrow("is on sale");
    await subscribe(1);
    await raise();
    await expect(move({ to: api.periods.yearly })).rejects.toThrow(
      "the same plan and interval",
    );
    await expect(move({ to: api.periods.archived })).rejects.toThrow("not on sale");
    await expect(move({ to: "none" })).rejects.toThrow("no billing period 'none'");
    await expect(move({ from: api.periods.archived })).rejects.toThrow(
      "no billing period on sale",
    );
    expect(await undo(999_999)).toBeNull();
  });

  test("is restored together with a saved sandbox state", async () => {
    const id = await subscribe(1);
    await raise();
    await move();
    const saved = await api.post("/sandbox/states/", { name: "Moved" });
    expect((await api.post("/sandbox/scenarios/", { name: "some_due" })).statusCode).toBe(200);
    const { id: state } = saved.json<{ id: number }>();
    expect((await api.post(`/sandbox/states/${state}/restore/`)).statusCode).toBe(200);
    expect(
      SubscriptionPage.parse((await api.call({ url: "/api/v1/subscriptions/" })).json()).count,
    ).toBe(1);
    expect(await asked(id)).toBe("1,356.00");
  });
});
