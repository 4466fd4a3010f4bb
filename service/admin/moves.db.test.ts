import { afterAll, beforeAll, expect, test } from "vitest";
import { ProductPage } from "#contract/products.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { runAdmin } from "../testing/admin.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { startTestService, type TestService } from "../testing/service.ts";

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

test("a new price archives a sold billing period, and its subscribers can be moved to the new price and back", async () => {
  const api = await SellerApi.open(service);
  const seller = ["--seller", api.seller.name];
  const id = await api.createActive();
  const [product] = ProductPage.parse(
    (await api.call({ url: "/api/v1/products/" })).json(),
  ).results;
  const { monthly } = api.periods;
  const change = {
    plans: [
      {
        plan_id: product?.plan[0]?.plan_id,
        billing_periods: [{ pbp_id: monthly, price: "1200.00" }],
      },
    ],
  };
  const words = ["edit-product", ...seller, "--product", product?.product_id ?? ""];
  const edited = await runAdmin(database.url, words, change);
  expect(edited.output).toContain(`${monthly}  Monthly  NPR 1000.00  archived`);
  expect((await api.read(id)).product.price).toBe("1000.00");

  const move = ["move-subscribers", ...seller, "--from", monthly];
  const preview = await runAdmin(database.url, move);
  expect(preview.output).toContain("NPR 1130.00 before, NPR 1356.00 after");
  const moved = await runAdmin(database.url, [...move, "--confirm"]);
  const number = /undo-move --move (\d+)/.exec(moved.output)?.[1] ?? "";
  const undo = ["undo-move", ...seller, "--move", number];
  expect((await runAdmin(database.url, undo)).output).toContain("keep their old price: 1.");

  const late = await runAdmin(database.url, words, change);
  expect(late).toMatchObject({ code: 1 });
  expect(late.complaint).toContain("was sold and is archived");
  const other = await SellerApi.open(service);
  const foreign = ["undo-move", "--seller", other.seller.name, "--move", number];
  expect(await runAdmin(database.url, foreign)).toMatchObject({ code: 1, output: "" });
});
