import { describe, expect, it } from "vitest";
import { readTable } from "#lib/files/read-table.ts";
import {
  countColumns,
  findColumns,
  findHeadings,
  HEADING_ROWS,
  isEnough,
  readPlaces,
  writePlaces,
} from "./columns.ts";
import { readRows } from "./read.ts";

const NOW = new Date("2026-11-26T12:00:00Z");

async function read(provider: string, file: string | Uint8Array, chosen?: string) {
  const bytes = typeof file === "string" ? new TextEncoder().encode(file) : file;
  const { rows } = await readTable(bytes, {
    mostRows: 2_020,
    fit: (headings) => countColumns(findColumns(provider, headings)),
    headingRows: HEADING_ROWS,
  });
  const at = findHeadings(provider, rows);
  const headings = rows[at] ?? [];
  const places = chosen ? readPlaces(chosen, headings.length) : findColumns(provider, headings);
  const nothing = { entries: null, leftOut: null, covers: null };
  if (!places || !isEnough(places)) return { headings, places, ...nothing };
  const zone = provider === "stripe" ? "UTC" : "Asia/Kathmandu";
  const known = { places, currency: "NPR", zone, now: NOW };
  return { headings, places, ...readRows(rows.slice(at + 1), at + 2, known) };
}

const utf16 = (text: string) => new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"));
const PAID = { currency: "NPR", state: "paid" };

describe("a statement of a payment provider's portal", () => {
  it.each<[string, string, string | Uint8Array, object]>([
    [
      "esewa",
      "below the account's name, with amounts of lakhs",
      'Merchant,Phewa Yoga\n\nTransaction UUID,Reference Code,Transaction Amount,Status,Date\nu-1,000AWEO,"1,23,456.00",COMPLETE,2026-11-25 14:05:11\n',
      {
        reference: "u-1",
        transaction_id: "000AWEO",
        amount: "123456.00",
        at: "2026-11-25T08:20:11.000Z",
      },
    ],
    [
      "esewa",
      "in UTF-16 with tabs and Devanagari digits",
      utf16("Transaction UUID\tAmount\tDate\nu-1\tरु १,२००.५०\t२५/११/२०२६\n"),
      { reference: "u-1", amount: "1200.50", at: "2026-11-24T18:15:00.000Z" },
    ],
    [
      "connectips",
      "with semicolons and a byte order mark",
      "\uFEFFTransaction ID;Batch ID;Txn Amount;Credit Status;Txn Date\nABC;77;Rs. 1200;000;25-Nov-2026\n",
      { reference: "ABC", transaction_id: "77", amount: "1200.00" },
    ],
    [
      "fonepay_qr",
      "with the month first",
      "PRN,Trace ID,Amount,Status,Transmission Date\nP1,9,10,success,11/25/2026 02:05:00 PM\n",
      { reference: "P1", transaction_id: "9", at: "2026-11-25T08:20:00.000Z" },
    ],
    [
      "stripe",
      "in UTC and another currency",
      "id,PaymentIntent ID,Amount,Currency,Status,Created (UTC)\nch_1,pi_1,12.00,usd,Paid,2026-11-25 14:05\n",
      { transaction_id: "pi_1", currency: "USD", at: "2026-11-25T14:05:00.000Z" },
    ],
  ])("of %s is read %s", async (provider, _, file, expected) => {
    expect((await read(provider, file)).entries).toMatchObject([{ ...PAID, ...expected }]);
  });

  it("reports rows that cannot be compared, and treats a formula as unreadable", async () => {
    const { entries, leftOut, covers } = await read(
      "esewa",
      [
        "Transaction UUID,Amount,Status,Date",
        "u-1,10.00,COMPLETE,2026-11-20",
        "u-2,ten,COMPLETE,2026-11-22",
        "u-3,10.00,WHATEVER,2083-08-10",
        "u-4,10.00,Refund successful,2026-11-22",
        "u-5,10.00,Unsuccessful,2026-11-22",
        '=HYPERLINK("http://x"),10.00,COMPLETE,2026-11-22',
        "1.23457E+11,10.00,COMPLETE,2026-11-22",
        "u-6,-10.00,COMPLETE,2026-11-22",
        "u-7,=1+1,COMPLETE,2026-11-22",
        ",,,",
      ].join("\n"),
    );
    expect(entries?.map(({ reference, amount, state }) => [reference, amount, state])).toEqual([
      ["u-1", "10.00", "paid"],
      ["u-2", null, "unclear"],
      ["u-3", "10.00", "unclear"],
      ["u-4", "10.00", "refunded"],
      ["u-5", "10.00", "unpaid"],
      ["u-7", null, "unclear"],
    ]);
    expect(leftOut).toEqual([
      { row: 7, why: "unnamed" },
      { row: 8, why: "unnamed" },
      { row: 9, why: "outgoing" },
    ]);
    expect(covers).toEqual({
      from: "2026-11-19T18:15:00.000Z",
      to: "2026-11-22T18:15:00.000Z",
    });
  });

  it("covers the time until its latest entry, or until today if its entries have only dates", async () => {
    const head = "Transaction UUID,Amount,Date\n";
    const timed = await read("esewa", `${head}a,1,2026-11-26 09:00\nb,1,2026-11-25 09:00`);
    const today = await read("esewa", `${head}a,1,2026-11-26\nb,1,2026-11-25`);
    const undated = await read("esewa", `${head}a,1,\nb,1,soon`);
    expect([timed, today, undated].map(({ covers }) => covers)).toEqual([
      { from: "2026-11-24T18:15:00.000Z", to: "2026-11-26T03:15:00.000Z" },
      { from: "2026-11-24T18:15:00.000Z", to: "2026-11-25T18:15:00.000Z" },
      null,
    ]);
  });

  it("with unknown headings is read by the columns that a member chooses", async () => {
    const file = "Kode,Betrag\nu-1,10.00\n";
    expect(await read("esewa", file)).toMatchObject({
      headings: ["Kode", "Betrag"],
      entries: null,
    });
    const chosen = await read("esewa", file, "reference:0,amount:1");
    expect(chosen.entries).toMatchObject([{ reference: "u-1", amount: "10.00" }]);
    expect(chosen.places && writePlaces(chosen.places)).toBe("reference:0,amount:1");
    for (const wrong of ["reference:9,amount:1", "price:0", "amount:x", ""])
      expect(readPlaces(wrong, 2)).toBeNull();
  });
});
