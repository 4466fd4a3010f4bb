import { expect, test } from "vitest";
import { checkoutBaseOf, checkoutLink } from "./checkout-base.ts";

const id = "0f1e";

test("a link gives its base URL, which gives the same link", () => {
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
])("the link %o gives no base URL", (link) => {
  expect(checkoutBaseOf(link, id)).toBeNull();
});

test("there is no link without a base URL", () => {
  expect(checkoutLink(null, id)).toBeNull();
});
