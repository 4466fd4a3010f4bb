import { expect, test } from "vitest";
import type { Language } from "#lib/i18n/languages.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import type { ListedPayment } from "./queries.ts";
import { paymentsFile } from "./payment-file.ts";

const payment: ListedPayment = {
  id: "7",
  at: "2026-11-20T06:00:00Z",
  said_at: null,
  subscription_id: "sub-1",
  delivery_id: null,
  reference: null,
  received_delivery_id: "1",
  is_renewal: false,
  buyer: "Asha Rai",
  product_name: "Milk",
  amount: "904.00",
  currency: "NPR",
  fee: "17.99",
  net: "886.01",
  vat: "104.00",
  method: "wallet",
  is_list_price: false,
  known_by: "delivery",
  later: null,
};
const shown: ListedPayment = {
  ...payment,
  vat: null,
  method: null,
  is_list_price: true,
  known_by: "record",
};

/** The last three cells of each line of the file. */
async function ends(language: Language) {
  async function* batches() {
    yield [payment, { ...payment, method: "by hand" }, { ...payment, method: "other" }, shown];
  }
  const common = translatorOf("format", language);
  const file = paymentsFile(batches(), {
    t: translatorOf("payments", language),
    paidWith: (method) => common("paidWith", { method }),
    format: "csv",
    time_zone: "Asia/Kathmandu",
  });
  const lines = (await new Response(file).text()).trimEnd().split("\r\n");
  return lines.map((line) => line.split(",").slice(-3).join(","));
}

test("the file of payments has columns for the VAT, the method and a mark on list prices", async () => {
  expect(await ends("en")).toEqual([
    "VAT in the amount,Paid with,Kind of amount",
    "104.00,Mobile wallet,",
    "104.00,by hand,",
    "104.00,Another way,",
    ",,list price",
  ]);
  expect(await ends("ne")).toEqual([
    "रकमभित्रको मू.अ.कर,भुक्तानीको तरिका,रकमको किसिम",
    "104.00,मोबाइल वालेट,",
    "104.00,by hand,",
    "104.00,अन्य तरिका,",
    ",,सूची मूल्य",
  ]);
});
