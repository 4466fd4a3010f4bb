import { expect, test } from "vitest";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { readLanguagesFor, saveBuyerLanguage } from "./buyer-language.ts";

useDashboardDatabase();

test("the chosen language of a buyer and the language of the last message are stored for each seller", async () => {
  const subscription = makeSubscription();
  const { subscription_id, client } = subscription;
  const owner = await createIndexedSeller(pool, { subscriptions: [subscription] });
  const other = await createIndexedSeller(pool, { subscriptions: [subscription] });
  const languages = (of = owner) => readLanguagesFor(pool, of, subscription_id);
  expect(await languages()).toEqual({ chosen: null, last: null });
  await pool.query(
    `insert into collection_state (seller_id, mode, subscription_id, language)
     values ($1, $2, $3, 'ne')`,
    [owner.seller_id, owner.mode, subscription_id],
  );
  await saveBuyerLanguage(pool, owner, { phone: client.phone, language: "mai" });
  expect(await languages()).toEqual({ chosen: "mai", last: "ne" });
  expect(await languages(other)).toEqual({ chosen: null, last: null });
  expect(await readLanguagesFor(pool, owner, "unknown")).toEqual({ chosen: null, last: null });
});
