import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ProductPage } from "#contract/products.ts";
import { SubscriptionPage, type Subscription } from "#contract/subscriptions.ts";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { amountToPay } from "#lib/money/price.ts";
import { transaction } from "../../service/db/database.ts";
import { applyVat, changePrice } from "../../service/products/price.ts";
import { beginMove, spreadMove } from "../../service/subscriptions/period-move.ts";
import { SellerApi } from "../../service/testing/seller-api.ts";
import { useTestService } from "../../service/testing/use-service.ts";
import { pool, useDashboardDatabase } from "../testing/dashboard-database.ts";
import { createIndexedSeller, storeRecords } from "../testing/fixtures/records-fixture.ts";
import { amountsOf, filesOf, shownIn, textsTo } from "../testing/shown-amounts.ts";

useDashboardDatabase();
const service = useTestService();

const dayOf = (moment: Date) => dayInZone(moment.toISOString(), "Asia/Kathmandu");

const listed = async <Row>(
  api: SellerApi,
  noun: string,
  page: { parse: (body: unknown) => { results: Row[] } },
): Promise<Row[]> =>
  page.parse((await api.call({ url: `/api/v1/${noun}/?page_size=100` })).json()).results;

const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("create" as const) }),
    fc.record({ kind: fc.constant("pay" as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant("wait" as const), days: fc.integer({ min: 1, max: 33 }) }),
    fc.record({
      kind: fc.constant("price" as const),
      paisa: fc.integer({ min: 100, max: 9_999_999 }),
      discount: fc.constantFrom(0, 7, 33),
    }),
    fc.record({
      kind: fc.constant("vat" as const),
      type: fc.constantFrom("exclusive", "inclusive"),
      percentage: fc.constantFrom(0, 5, 13),
    }),
    fc.record({ kind: fc.constant("move" as const) }),
  ),
  { minLength: 6, maxLength: 16, size: "max" },
);
type Change = typeof changes extends fc.Arbitrary<(infer Value)[]> ? Value : never;

/** A seller who sells one plan, and changes what it asks while its buyers have their links. */
class ChangingSeller {
  readonly ids: string[] = [];
  readonly api: SellerApi;
  current: string;
  private readonly sold = new Set<string>();

  constructor(api: SellerApi) {
    this.api = api;
    this.current = api.periods.monthly;
  }

  async take(change: Change): Promise<void> {
    const { api } = this;
    if (change.kind === "create") {
      const phone = `98120000${String(this.ids.length).padStart(2, "0")}`;
      this.ids.push((await api.create(this.current, { phone })).subscription_id);
      this.sold.add(this.current);
    } else if (change.kind === "pay") {
      const id = this.ids[change.at % Math.max(1, this.ids.length)];
      if (id && isAsked(await api.read(id))) expect(await api.pay(id)).toBe("paid");
    } else if (change.kind === "wait") await api.wait(change.days);
    else if (change.kind === "move") await this.move();
    else await this.ask(change);
  }

  private async ask(change: Extract<Change, { kind: "price" | "vat" }>): Promise<void> {
    const { seller_id } = this.api.seller;
    await transaction(service.pool, async (db) => {
      if (change.kind === "price") {
        const place = { sellerId: seller_id, pbpId: this.current };
        const starts_at = dayOf(service.clock.now());
        const discount_amount = ((change.paisa * change.discount) / 10_000).toFixed(2);
        const offer = { discount_amount, starts_at, valid_until: addDays(starts_at, 20) };
        this.current = await changePrice(db, place, {
          price: (change.paisa / 100).toFixed(2),
          offers: change.discount === 0 ? [] : [{ is_active: true, ...offer }],
        });
        return;
      }
      const { rows } = await db.query<{ product_id: string }>(
        `update product set is_vat_active = true, vat_type = $2, vat_percentage = $3
          where seller_id = $1 and product_id =
            (select product_id from plan join billing_period using (plan_id) where pbp_id = $4)
         returning product_id`,
        [seller_id, change.type, change.percentage, this.current],
      );
      await applyVat(db, { sellerId: seller_id, productId: rows[0]?.product_id ?? "" });
      const { rows: listed } = await db.query<{ pbp_id: string }>(
        `select n.pbp_id from billing_period o join billing_period n using (plan_id, label)
          where o.pbp_id = $1 and not n.is_archived`,
        [this.current],
      );
      this.current = listed[0]?.pbp_id ?? this.current;
    });
  }

  /** Moves the buyers of every earlier price to the present price. */
  private async move(): Promise<void> {
    const { seller } = this.api;
    for (const from of this.sold) {
      if (from === this.current) continue;
      const wanted = { from, to: this.current };
      const begun = await beginMove(service.pool, seller, wanted, service.clock.now()).catch(
        () => null,
      );
      if (begun === null) continue;
      for (let times = 0; times < 2; times += 1)
        await spreadMove(service.pool, seller.seller_id, begun.id);
    }
  }
}

/** Whether the link asks for a payment now, instead of offering an early renewal. */
const isAsked = ({ status }: Pick<Subscription, "status">) =>
  status === "pending_checkout" || status === "due";

const askedBy = async (id: string) => {
  const { body } = await service.call(null, { url: `/pay/${id}` });
  const words = body.replace(/<[^>]*>|\s+/g, " ").replace(/ +/g, " ");
  return /To pay NPR ([\d,.]+)/.exec(words)?.[1]?.replaceAll(",", "");
};

test("after any changes of prices, offers, VAT or periods, files and messages show the checkout's amount to pay", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(changes, async (drawn) => {
      service.clock.set(new Date().toISOString());
      const seller = new ChangingSeller(await SellerApi.open(service));
      const owner = await createIndexedSeller(pool);
      for (const change of [{ kind: "create" as const }, ...drawn]) {
        await seller.take(change);
        // What the index holds after it has read every change from the feed.
        const index = {
          products: await listed(seller.api, "products", ProductPage),
          subscriptions: await listed(seller.api, "subscriptions", SubscriptionPage),
        };
        await storeRecords(pool, owner, index);
        const today = dayOf(service.clock.now());
        const amounts = await amountsOf(owner, today);
        const shown = new Map(
          (await filesOf(owner, amounts)).flatMap((rows) =>
            rows.map(([id, amount]) => [id, amount] as const),
          ),
        );
        for (const record of index.subscriptions.filter(isAsked)) {
          const asked = await askedBy(record.subscription_id);
          const to_pay = amountToPay(amounts, record.product);
          expect([asked, false], JSON.stringify(record.product)).toEqual([
            Number(to_pay.amount).toFixed(2),
            to_pay.is_list_price,
          ]);
          expect(shown.get(record.subscription_id)).toBe(Number(asked));
          for (const { language, text } of textsTo(record, to_pay, today))
            expect(text).toContain(shownIn[language](to_pay.amount));
          compared += 1;
        }
      }
    }),
    { numRuns: 4 },
  );
  expect(compared).toBeGreaterThan(10);
});
