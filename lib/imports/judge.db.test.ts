import { beforeAll, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { CatalogueProduct, ProductCatalogue } from "#lib/products/queries.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { makeAccountProduct, makePeriod } from "#tools/testing/fixtures/catalogue-fixture.ts";
import { createIndexOwner, runSlice } from "#tools/testing/fixtures/search-index-fixture.ts";
import { createPerson } from "#tools/testing/person.ts";
import { ChangingService } from "#tools/testing/servers/changing-service.ts";
import { changeColumns, changeRow, setRunChoices } from "./changes.ts";
import { judgeChangedRow, judgeImport, type JudgeContext } from "./judge.ts";
import { readImport } from "./read-file.ts";
import type { ImportField, ImportRow } from "./rules.ts";
import {
  countVerdicts,
  deleteImport,
  deleteOldImports,
  insertImport,
  readKnownHeadings,
  selectImport,
  selectImportRows,
  selectImports,
} from "./store.ts";

useDashboardDatabase();

const product = (id: string, name: string, periods: string[]) =>
  makeAccountProduct(
    id,
    periods.map((label, at) =>
      makePeriod(`pbp-${id}-${at + 1}`, {
        label,
        price: at === 0 ? "1200.00" : "9999.00",
        interval_type: label === "Once" ? "one_time" : "month",
      }),
    ),
    { name },
  ) as CatalogueProduct;

const CATALOGUE: ProductCatalogue = {
  products: [
    product("product-1", "Fibre", ["Monthly", "Yearly"]),
    product("gym", "जिम", ["महिनावारी"]),
    product("router", "Router", ["Once"]),
  ],
  is_complete: true,
  today: "2026-11-27",
};

let owner: KeyOwner;
let user: string;
let context: JudgeContext;

beforeAll(async () => {
  owner = await createIndexOwner();
  user = (await createPerson(pool)).id;
  const service = new ChangingService();
  service.fill(9);
  service.change(0, { status: "cancelled" });
  await runSlice(owner, service);
  context = contextOf(owner);
});

const contextOf = (who: KeyOwner): JudgeContext => ({
  owner: who,
  home: { time_zone: "Asia/Kathmandu", currency: "NPR" },
  catalogue: CATALOGUE,
});

async function upload(bytes: Uint8Array, who = owner): Promise<string> {
  const table = await readImport(bytes, await readKnownHeadings(pool, who));
  return insertImport(pool, who, user, { ...table, file_name: "buyers.csv" });
}

async function judged(bytes: Uint8Array | string): Promise<string> {
  const id = await upload(typeof bytes === "string" ? Buffer.from(bytes) : bytes);
  await judgeImport(pool, context, id);
  return id;
}

const rowsOf = (id: string) =>
  selectImportRows(pool, owner, id, { show: null, after: 0, limit: 20_000 });

const said = ({ verdict, problems, double_of }: ImportRow) =>
  [verdict, ...problems, double_of].filter((part) => part !== null).join(" ");

const change = (id: string, position: number, changed: Parameters<typeof changeRow>[4]) =>
  judgeChangedRow(pool, context, { id, position }, (db, run) =>
    changeRow(db, owner, run, position, changed),
  );
const mend = (id: string, position: number, texts: Partial<Record<ImportField, string>>) =>
  change(id, position, { texts });
const choose = (id: string, position: number, choice: "in" | "out" | null) =>
  change(id, position, { choice });

const HEAD = "Name,Mobile,Email,Address,PAN,Product,Plan,Paid until";
const MAIL = "a@example.com,Patan";

const DEFECTS: [row: string, said: string][] = [
  [`Asha Rai,9841000001,${MAIL},,Fibre,Monthly,2083-08-15`, "new"],
  [`आशा,९८४१००००२१,${MAIL},,जिम,,१५/८/२०८३`, "new"],
  [`Known,+977 980-0000009,${MAIL},,Fibre,Monthly,`, "known"],
  [`Has it,09800000003,${MAIL},,fibre,1200,`, "has"],
  [`Twice,00977 9841000001,${MAIL},,Fibre,Yearly,`, "double 2"],
  [`,9841000003,${MAIL},,Fibre,Monthly,`, "wrong missing_name"],
  [`No phone,,${MAIL},,Fibre,Monthly,`, "wrong missing_phone"],
  [`Bad phone,9.84E+09,${MAIL},,Fibre,Monthly,`, "wrong bad_phone"],
  [`Bad mail,9841000004,nobody,Patan,,Fibre,Monthly,`, "wrong bad_email"],
  [`No mail,9841000005,,,,Fibre,Monthly,`, "wrong missing_email missing_address"],
  [`Bad PAN,9841000006,${MAIL},12,Fibre,Monthly,`, "wrong bad_pan_vat"],
  [`No product,9841000007,${MAIL},,,,`, "wrong missing_product"],
  [`Other product,9841000008,${MAIL},,Milk,,`, "wrong unknown_product"],
  [`Other price,9841000009,${MAIL},,Fibre,55,`, "wrong unknown_price"],
  [`Several,9841000010,${MAIL},,Fibre,,`, "wrong several_prices"],
  [`Formula,=A1,${MAIL},,Fibre,Monthly,`, "wrong formula"],
  [`Bad date,9841000011,${MAIL},,Fibre,Monthly,soon`, "wrong bad_date"],
  [`Far,9841000012,${MAIL},,Fibre,Monthly,2045-01-01`, "wrong far_date"],
  [`Once,9841000016,${MAIL},,Router,,2083-08-15`, "wrong once_dated"],
  [`Once,9841000017,${MAIL},,Router,,`, "new"],
  [`Hid\u202eden,9841000013,${MAIL},,Fibre,Monthly,`, "wrong hidden_characters"],
  [`\u00a0Business\u00a0 One ,9841000014,${MAIL},123456789,pbp-gym-1,,`, "new"],
  [`Both,9841000015,${MAIL},,Fibre Yearly,"Rs. 9,999/-",31/12/2026`, "new"],
];

test("10,000 rows, some with each kind of defect, get the same verdicts in UTF-16 and UTF-8", async () => {
  const filler = Array.from(
    { length: 10_000 - DEFECTS.length },
    (_, at) => `Buyer ${at},98${String(50_000_000 + at)},${MAIL},,Fibre,Monthly,2083-09-01`,
  );
  const text = [HEAD, ...DEFECTS.map(([row]) => row), ...filler].join("\r\n");
  const id = await judged(Buffer.from(`\ufeff${text}`, "utf16le"));
  const rows = await rowsOf(id);
  expect(rows.slice(0, DEFECTS.length).map(said)).toEqual(
    DEFECTS.map(([, verdict]) => verdict),
  );
  expect(rows.slice(0, 2).map((row) => row.paid_until)).toEqual(["2026-12-01", "2026-12-01"]);
  expect(rows[21]).toMatchObject({ name: "Business One", pbp_id: "pbp-gym-1" });
  const counts = await countVerdicts(pool, owner, id);
  expect(counts).toMatchObject({ all: 10_000, has: 1, double: 1, known: 1, wrong: 15 });
  expect(counts.made).toBe(counts.new + counts.known);
  expect(await selectImport(pool, owner, id)).toMatchObject({
    is_index_whole: true,
    date_order: "dmy",
    date_order_by: "file",
  });
  const again = await judged(`\ufeff${text}`);
  expect((await rowsOf(again)).map(said)).toEqual(rows.map(said));
});

test("when a row is corrected or left out, the verdicts of the row and of its duplicates change", async () => {
  const id = await judged(
    `${HEAD}\nOne,9842000001,${MAIL},,Fibre,Monthly,\nTwo,=1,${MAIL},,Fibre,Monthly,\n` +
      `Three,9842000001,${MAIL},,Fibre,Monthly,`,
  );
  const verdicts = async () => (await rowsOf(id)).map(said);
  expect(await verdicts()).toEqual(["new", "wrong formula", "double 2"]);
  await mend(id, 3, { phone: "9842000002" });
  expect(await verdicts()).toEqual(["new", "new", "double 2"]);
  await mend(id, 2, { phone: "९८४२०००००२" });
  expect(await verdicts()).toEqual(["new", "double 2", "new"]);
  await choose(id, 2, "out");
  expect(await verdicts()).toEqual(["new", "new", "new"]);
  expect((await rowsOf(id)).map(({ is_made }) => is_made)).toEqual([false, true, true]);
  await choose(id, 2, null);
  await choose(id, 3, "in");
  expect(await verdicts()).toEqual(["new", "double 2", "new"]);
  expect((await rowsOf(id)).map(({ is_made }) => is_made)).toEqual([true, true, true]);
  await mend(id, 2, { phone: "9842000001" });
  expect((await rowsOf(id))[0]?.mended).toEqual({});
  expect(await verdicts()).toEqual(["new", "new", "double 2"]);
});

test("corrections of a row are stored per field, and a correction equal to the file's value is not stored", async () => {
  const id = await judged(`${HEAD}\nOne,=1,${MAIL},=3,=2,Monthly,2083-08-15`);
  const row = async () => (await rowsOf(id))[0];
  await mend(id, 2, { phone: "9842000011" });
  expect(await row()).toMatchObject({
    mended: { phone: "9842000011" },
    problems: ["formula"],
    paid_until: "2026-12-01",
  });
  await mend(id, 2, { product: "product-1", pan_vat: "" });
  expect(await row()).toMatchObject({
    mended: { phone: "9842000011", product: "product-1", pan_vat: "" },
    verdict: "new",
    pbp_id: "pbp-product-1-1",
  });
  await mend(id, 2, { paid_until: "", name: "One" });
  expect(await row()).toMatchObject({
    mended: { phone: "9842000011", product: "product-1", pan_vat: "", paid_until: "" },
    paid_until: null,
  });
});

test("judging an import again uses the current subscriptions and products", async () => {
  const row = (phone: string) => `${HEAD}\nOne,${phone},${MAIL},,जिम,,`;
  const first = await judged(row("9848000001"));
  const second = await judged(row("9848000001"));
  const third = await judged(row("9848000002"));
  expect((await rowsOf(second)).map(said)).toEqual(["new"]);
  await pool.query(
    "update import_row set state = 'done', subscription_id = 'made-2' where run_id = $1",
    [first],
  );
  await judgeImport(pool, context, second);
  expect((await rowsOf(second)).map(said)).toEqual(["has"]);
  const [fibre] = CATALOGUE.products;
  const reduced = { ...CATALOGUE, products: fibre ? [fibre] : [], is_complete: false };
  await judgeImport(pool, { ...context, catalogue: reduced }, third);
  expect((await rowsOf(third)).map(said)).toEqual(["wrong unknown_product"]);
  expect(await selectImport(pool, owner, third)).toMatchObject({ is_index_whole: false });
});

test("an import judged while the index fills is marked as such, and uses only the records indexed so far", async () => {
  const filling = await createIndexOwner();
  const id = await upload(
    Buffer.from(`${HEAD}\nHas it,9800000003,${MAIL},,Fibre,Monthly,`),
    filling,
  );
  await judgeImport(pool, contextOf(filling), id);
  const all = { show: null, after: 0, limit: 9 };
  expect((await selectImportRows(pool, filling, id, all)).map(said)).toEqual(["new"]);
  expect(await selectImport(pool, filling, id)).toMatchObject({ is_index_whole: false });
  const service = new ChangingService();
  service.fill(9);
  await runSlice(filling, service);
  await judgeImport(pool, contextOf(filling), id);
  expect((await selectImportRows(pool, filling, id, all)).map(said)).toEqual(["has"]);
  expect(await selectImport(pool, filling, id)).toMatchObject({ is_index_whole: true });
});

test("a change of columns, first row or defaults changes the verdicts, and the next file reuses the columns", async () => {
  const id = await upload(Buffer.from("Person;Kontakt\nOne;9843000001\nTwo;9843000002"));
  const change = (hasHeadings: boolean, email: string | null) =>
    judgeImport(pool, context, id, (db, run) =>
      changeColumns(db, owner, run, {
        hasHeadings,
        columns: ["name", "phone"],
        defaults: { pbp_id: "pbp-gym-1", email, address: "Patan" },
      }),
    );
  await change(true, null);
  expect((await rowsOf(id)).map(said)).toEqual(["wrong missing_email", "wrong missing_email"]);
  await change(false, "desk@example.com");
  expect((await rowsOf(id)).map(said)).toEqual(["wrong bad_phone", "new", "new"]);
  await change(true, "desk@example.com");
  expect((await rowsOf(id)).map(({ position, name }) => [position, name])).toEqual([
    [2, "One"],
    [3, "Two"],
  ]);
  const next = await upload(Buffer.from("Kontakt;Person\n9843000009;Nine"));
  expect((await selectImport(pool, owner, next))?.columns).toEqual(["phone", "name"]);
});

test("ambiguous dates of a file are read in the order of day and month that the seller chooses", async () => {
  const id = await judged(`${HEAD}\nOne,9844000001,${MAIL},,जिम,,4/5/2027`);
  expect(await selectImport(pool, owner, id)).toMatchObject({ date_order_by: "none" });
  expect((await rowsOf(id))[0]?.paid_until).toBe("2027-05-04");
  await judgeImport(pool, context, id, (db) =>
    setRunChoices(db, owner, id, { date_order: "mdy" }),
  );
  expect((await rowsOf(id))[0]?.paid_until).toBe("2027-04-05");
});

test("correcting the row that revealed the date order does not change the dates of other rows", async () => {
  const id = await judged(
    `${HEAD}\nOne,9844000002,${MAIL},,जिम,,4/5/2027\nTwo,9844000003,${MAIL},,जिम,,5/13/2027`,
  );
  const days = async () => (await rowsOf(id)).map(({ paid_until }) => paid_until);
  expect(await days()).toEqual(["2027-04-05", "2027-05-13"]);
  await mend(id, 3, { paid_until: "2027-05-14" });
  await judgeImport(pool, context, id);
  expect(await days()).toEqual(["2027-04-05", "2027-05-14"]);
  expect(await selectImport(pool, owner, id)).toMatchObject({ date_order_by: "file" });
});

test("a buyer whom another import subscribed counts as subscribed before the index has the subscription", async () => {
  const row = `${HEAD}\nOne,9845000001,${MAIL},,जिम,,`;
  const first = await judged(row);
  await pool.query(
    "update import_row set state = 'done', subscription_id = 'made-1' where run_id = $1",
    [first],
  );
  expect((await rowsOf(await judged(row)))[0]).toMatchObject({
    verdict: "has",
    existing_id: "made-1",
  });
});

test("an import that was started can be neither corrected nor judged again", async () => {
  const id = await judged(`${HEAD}\nOne,9846000001,${MAIL},,जिम,,`);
  await pool.query("update import_run set started_at = now() where id = $1", [id]);
  await expect(mend(id, 2, { name: "Other" })).rejects.toMatchObject({
    failure: { kind: "conflict" },
  });
  await expect(judgeImport(pool, context, id)).rejects.toMatchObject({
    failure: { kind: "conflict" },
  });
});

test("another seller or mode cannot reach an import, and imports older than a month are deleted", async () => {
  const id = await judged(`${HEAD}\nOne,9847000001,${MAIL},,जिम,,`);
  for (const who of [await createIndexOwner(), { ...owner, mode: "live" as const }]) {
    expect(await selectImports(pool, who)).toEqual([]);
    expect(await selectImport(pool, who, id)).toBeNull();
    expect(await selectImportRows(pool, who, id, { show: null, after: 0, limit: 9 })).toEqual(
      [],
    );
    expect((await countVerdicts(pool, who, id)).all).toBe(0);
    const missing = { failure: { kind: "not_found" } };
    await expect(judgeImport(pool, contextOf(who), id)).rejects.toMatchObject(missing);
    await expect(deleteImport(pool, who, id)).rejects.toMatchObject(missing);
  }
  expect(await readKnownHeadings(pool, await createIndexOwner())).toEqual(new Map());
  await pool.query(
    "update import_run set created_at = now() - interval '31 days' where id = $1",
    [id],
  );
  expect(await selectImport(pool, owner, id)).toBeNull();
  await deleteOldImports(await createIndexOwner(), pool);
  expect(await rowsOf(id)).toHaveLength(1);
  await deleteOldImports(owner, pool);
  expect(await rowsOf(id)).toEqual([]);
});
