import { expect, test } from "vitest";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { readWorkbook } from "#tools/testing/read-workbook.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { parseSubscriptionSearch } from "../search.ts";
import { openExport } from "./data.ts";

useDashboardDatabase();

test("an exported file contains the amount to pay and whether it is the checkout's amount or the list price", async () => {
  const dateless = {
    current_period_start: null,
    current_period_end: null,
    next_billing_cycle: null,
  };
  const owner = await createIndexedSeller(pool, {
    subscriptions: [
      makeSubscription(),
      makeSubscription({ product: { pbp_id: "gone" } }),
      makeSubscription(dateless),
      makeSubscription({ ...dateless, status: "pending_checkout" }),
      makeSubscription({ status: "inactive" }),
    ],
  });
  const file = async (format: "csv" | "xlsx") => {
    const search = parseSubscriptionSearch({ sort: "created" });
    const question = { search, words: "", time_zone: "Asia/Kathmandu" };
    const { body } = await openExport(pool, owner, question, {
      format,
      columns: ["to_pay", "to_pay_known_by"],
      amounts: { "pbp-1": { price: "500.00", currency: "NPR", amount: "339.00" } },
      wording: { t: translatorOf("export", "en"), tList: translatorOf("subscriptions", "en") },
      user_id: owner.seller_id,
      mayGoOn: async () => true,
    });
    return Buffer.from(await new Response(body).arrayBuffer());
  };
  // One-time purchases and ended subscriptions have no amount to pay.
  const rows = [
    ["339.00", "checkout"],
    ["500.00", "list price"],
    ["", ""],
    ["339.00", "checkout"],
    ["", ""],
  ];
  const [, ...lines] = (await file("csv")).toString("utf8").split("\r\n");
  expect(lines.slice(0, -1).map((line) => line.split(","))).toEqual(rows);
  const [sheet] = readWorkbook(await file("xlsx"));
  const told = (sheet ?? []).slice(1).map(({ A, B }) => [A?.value ?? "", B?.value ?? ""]);
  expect(told).toEqual(rows.map(([amount = "", by]) => [amount.replace(".00", ""), by]));
});
