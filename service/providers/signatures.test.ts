import { createVerify, generateKeyPairSync } from "node:crypto";
import { expect, it } from "vitest";
import { connectIpsToken } from "./connectips.ts";
import { esewaSignature } from "./esewa.ts";
import { fonepaySignature } from "./fonepay-account.ts";
import { fonepayAuth } from "./fonepay.ts";
import { nepalDay, plainLabel, shortReference } from "./reference.ts";
import { stripeSignature } from "./stripe.ts";

const ESEWA_KEY = "8gBm/:&EnhH.1/q";

it("the signature of an eSewa form equals the example in eSewa's documentation", () => {
  const signature = esewaSignature(ESEWA_KEY, [
    ["total_amount", "110"],
    ["transaction_uuid", "241028"],
    ["product_code", "EPAYTEST"],
  ]);
  expect(signature).toBe("i94zsd3oXF6ZsSr/kGqT4sSzYQzjj1W/waxjWyRwaME=");
});

it.each([
  ["1000.0", "62GcfZTmVkzhtUeh+QJ1AqiJrjoWWGof3U+eTPTZ7fA="],
  ["1,000.0", "papjo8JJpF2skOaVl21DUR7k7hdectT5lWk+z5xvYIU="],
])(
  "the signature of an eSewa return URL with the amount %s equals the documented example",
  (total_amount, expected) => {
    const names =
      "transaction_code,status,total_amount,transaction_uuid,product_code,signed_field_names";
    const signature = esewaSignature(ESEWA_KEY, [
      ["transaction_code", "000AWEO"],
      ["status", "COMPLETE"],
      ["total_amount", total_amount],
      ["transaction_uuid", "250610-162413"],
      ["product_code", "EPAYTEST"],
      ["signed_field_names", names],
    ]);
    expect(signature).toBe(expected);
  },
);

it("the signatures of a Fonepay page and QR code equal the examples in Fonepay's documentation", () => {
  const page =
    "fonepay123,P,d1580724437729,30,NPR,06/27/2017,Hello,test,https://devadminapi.fonepay.com/ConvergentMerchantDummyweb/MerchantVerification";
  expect(fonepaySignature("fonepay", page.split(","))).toBe(
    "147384cc250bf072fdacbce811da683a3ed7f5f7d1c0dd2ce2fb90d27d69b2bc3c143306aa4fa26625a171ac0d4d2e2aaa53e4e10902eb9418eac32f591b92c0",
  );
  expect(fonepaySignature("fonepay", ["50", "check", "fonepay123", "test1", "test2"])).toBe(
    "f036eb09c5402a91e1926e904a423e66d041add18423959dad512b6f5fa37f1ea023197f6faae42f84b357914f5ed77723255d108b38c20c058677cfc8ac4204",
  );
});

it("the signature of a status inquiry to Fonepay covers the login, HTTP method, path and body", () => {
  const account = { secretKey: "fonepay", username: "bijayk", password: "password" };
  expect(fonepayAuth(account, "/path", "{}")).toBe(
    fonepaySignature("fonepay", [
      "bijayk",
      "password",
      "POST",
      "application/json",
      "/path",
      "{}",
    ]),
  );
});

it("the token for connectIPS is an RSA-SHA256 signature that the public key verifies", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = privateKey.export({ type: "pkcs8", format: "pem" });
  const token = connectIpsToken(pem, [
    ["MERCHANTID", "550"],
    ["TOKEN", "TOKEN"],
  ]);
  const verify = createVerify("RSA-SHA256").update("MERCHANTID=550,TOKEN=TOKEN");
  expect(verify.verify(publicKey, token, "base64")).toBe(true);
});

it("the signature computed for a Stripe webhook has the expected value", () => {
  expect(stripeSignature("whsec_test", 1_700_000_000, `{"id":"evt_1","object":"event"}`)).toBe(
    "4c15fb2a43f93ef61eaa3e0893866d57cad9cad4223242cfb96f362480cb4021",
  );
});

it("a charge's short reference is always the same, and two charges have different references", () => {
  const [first, second] = [
    "0b7c6f7e-6f8a-4d55-9a1e-2f4f6d1f2c11",
    crypto.randomUUID(),
  ] as const;
  expect(shortReference(first, 20)).toMatch(/^[A-Z2-7]{20}$/);
  expect(shortReference(first, 20)).toBe(shortReference(first, 25).slice(0, 20));
  expect(shortReference(second, 20)).not.toBe(shortReference(first, 20));
});

it.each([
  ["2026-11-25T18:14:59Z", ["2026", "11", "25"]],
  ["2026-11-25T18:15:00Z", ["2026", "11", "26"]],
  ["2026-12-31T23:00:00Z", ["2027", "01", "01"]],
])("the moment %s is on the day %o in Nepal", (at, day) => {
  expect(Object.values(nepalDay(new Date(at)))).toEqual(day);
});

it.each([
  ["Phewa Yoga: Gold, 1 month = Rs 1,200", "Phewa Yoga Gold 1 month Rs 1 200"],
  ["फेवा योग", "Payment"],
  ["Café", "Cafe"],
])("the payment label %s is simplified to %s for a bank", (label, plain) => {
  expect(plainLabel(label, 100)).toBe(plain);
});
