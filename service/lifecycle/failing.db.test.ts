import { expect, it } from "vitest";
import { transaction } from "../db/database.ts";
import { changePrice } from "../products/price.ts";
import { beginMove } from "../subscriptions/period-move.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";
import { sweepAll } from "./run.ts";

const service = useTestService();

/** Sweeps while the first of two sellers' rows cannot be changed, then once more. */
async function sweepWithFailing(table: string, waiting: string) {
  const { pool, context } = service;
  const left = async () => (await pool.query(waiting)).rows.map(({ seller_id }) => seller_id);
  const [broken] = await left();
  await pool.query(
    `create function fail() returns trigger language plpgsql as $$ begin raise 'broken row'; end $$;
     create trigger fail before update on ${table} for each row
       when (old.seller_id = ${broken}) execute function fail()`,
  );
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const sweep = () => sweepAll({ ...context, abandonedAfter: 86_400_000, onError });
  await sweep();
  await pool.query("drop function fail cascade");
  expect(errors).toEqual([expect.objectContaining({ message: "broken row" })]);
  expect(await left()).toEqual([broken]);
  await sweep();
  expect(await left()).toEqual([]);
}

it("the sweep recalculates a seller's times of status changes although another seller's recalculation fails", async () => {
  for (let sellers = 0; sellers < 2; sellers += 1)
    await (await SellerApi.open(service)).createActive();
  await service.pool.query("update seller set retime_after = 0");
  await sweepWithFailing(
    "subscription",
    "select seller_id from seller where retime_after is not null order by 1",
  );
});

it("the sweep continues a move of subscribers to another price although an earlier move fails", async () => {
  for (let sellers = 0; sellers < 2; sellers += 1) {
    const api = await SellerApi.open(service);
    const from = api.periods.monthly;
    await api.createActive();
    const place = { sellerId: api.seller.seller_id, pbpId: from };
    await transaction(service.pool, (database) =>
      changePrice(database, place, { price: "1200.00" }),
    );
    await beginMove(service.pool, api.seller, { from }, service.clock.now());
  }
  await sweepWithFailing(
    "period_move",
    "select seller_id from period_move where spread_after is not null order by move_id",
  );
});
