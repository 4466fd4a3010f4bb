import { expect, test } from "vitest";
import { checkoutBaseOf, checkoutLink } from "./checkout-base.ts";

const id = "0f1e";

test("the base URL of a checkout link gives the checkout links of other subscriptions", () => {
  const base = checkoutBaseOf("https://pay.example/shop/pay/0f1e", id);
  expect(base).toBe("https://pay.example/shop");
  expect(checkoutLink(base, "77aa")).toBe("https://pay.example/shop/pay/77aa");
});

test.each([
  "https://pay.example/pay/other",
  "https://pay.example/pay/0f1e/",
  "https://pay.example/pay/0f1e?x=1",
  "javascript://pay.example/pay/0f1e",
  "/pay/0f1e",
  "",
])("the checkout link %o gives no base URL", (link) => {
  expect(checkoutBaseOf(link, id)).toBeNull();
});

test("there is no checkout link without a base URL", () => {
  expect(checkoutLink(null, id)).toBeNull();
});
