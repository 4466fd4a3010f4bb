import { expect, test } from "vitest";
import { checkoutBaseOf, checkoutLink } from "./checkout-base.ts";

const id = "0f1e";

test("learns the base from a link and makes the same link from it", () => {
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
])("learns nothing from %o", (link) => {
  expect(checkoutBaseOf(link, id)).toBeNull();
});

test("makes no link while the base is unknown", () => {
  expect(checkoutLink(null, id)).toBeNull();
});
