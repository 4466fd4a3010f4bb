import { expect, test } from "vitest";
import type { AccountBillPage } from "#contract/payments.ts";
import { translatorOf } from "#tools/testing/messages.ts";
import { readWorkbook } from "#tools/testing/read-workbook.ts";
import { salesBookFile } from "./sales-book.ts";

type Bill = AccountBillPage["results"][number];

const bill: Bill = {
  id: "5a0b7c1e-4f1d-4e0a-9f0e-2d9a4f6c8b13",
  kind: "vat_bill",
  fiscal_year: "2083/84",
  number: "B-2083/84-00001",
  payment_id: "6b1c8d2f-4f1d-4e0a-9f0e-2d9a4f6c8b13",
  subscription_id: "7c2d9e3a-4f1d-4e0a-9f0e-2d9a4f6c8b13",
  corrects: null,
  buyer: "-Asha Rai",
  buyer_pan: "301234567",
  currency: "NPR",
  amount: "1130.00",
  vat: "130.00",
  // 1 Shrawan 2083 in Kathmandu, still the day before in UTC.
  issued_at: "2026-07-16T18:15:00.000Z",
};
const note: Bill = {
  ...bill,
  kind: "credit_note",
  number: "C-2083/84-00001",
  corrects: bill.number,
  amount: "113.00",
  vat: "13.00",
};

async function fileOf(format: "csv" | "xlsx") {
  async function* rows() {
    yield [bill, note];
  }
  const t = translatorOf("statement", "en");
  const file = salesBookFile(rows(), { t, format, time_zone: "Asia/Kathmandu" });
  return Buffer.from(await new Response(file).arrayBuffer());
}

test("a sales book has dates in the seller's time zone, and credit notes have negative amounts", async () => {
  expect((await fileOf("csv")).toString().split("\r\n").slice(1)).toEqual([
    `B-2083/84-00001,VAT bill,2026-07-17T00:00:00+05:45,2083-04-01,"'-Asha Rai",301234567,NPR,1000.00,130.00,1130.00,`,
    `C-2083/84-00001,Credit note,2026-07-17T00:00:00+05:45,2083-04-01,"'-Asha Rai",301234567,NPR,-100.00,-13.00,-113.00,B-2083/84-00001`,
    "",
  ]);
});

test("the amounts in the workbook of a sales book are stored as numbers", async () => {
  const [sheet] = readWorkbook(await fileOf("xlsx"));
  expect(sheet?.slice(1).map(({ J }) => J)).toEqual([
    { kind: "number", value: "1130" },
    { kind: "number", value: "-113" },
  ]);
});
