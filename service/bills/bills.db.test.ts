import { beforeEach, describe, expect, it } from "vitest";
import { totalAmount } from "#contract/amount.ts";
import { AccountBillPage, BillSettings } from "#contract/payments.ts";
import { toBikramSambat } from "#contract/process/bikram-sambat.ts";
import { DocumentContent } from "#contract/verification.ts";
import { queryRow, queryValue } from "../db/database.ts";
import { FakeProvider } from "../testing/fake-provider.ts";
import { BookedSeller } from "../testing/payments/booked-seller.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { queueBills } from "./send.ts";

const fake = new FakeProvider();
const service = useTestService("test", { providers: [fake.adapter()] });
const BILLS = "/account/v1/bills/";

let seller: BookedSeller;
let api: SellerApi;
beforeEach(async () => {
  service.clock.set("2026-03-10T06:00:00Z");
  seller = await BookedSeller.open(service, fake);
  ({ api } = seller);
});

async function list(query = "") {
  const answer = await seller.call(`/bills/${query}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return AccountBillPage.parse(answer.json());
}

const numbers = async () => (await list()).results.map(({ number }) => number);

async function change(body: object) {
  const account = await withAccountToken(service, api.seller);
  const answer = await service.call(account, { url: `${BILLS}settings/` });
  const { version } = BillSettings.parse(answer.json());
  return service.call(account, {
    method: "PATCH",
    url: `${BILLS}settings/`,
    payload: { version, ...body },
    headers: { "content-type": "application/json" },
  });
}

async function readPdf(id: string) {
  const answer = await seller.call(`/bills/${id}/pdf/`);
  expect(answer.statusCode, answer.body).toBe(200);
  return DocumentContent.parse(answer.json());
}

describe("bill numbers", () => {
  it("have no gap and no duplicate when eight buyers pay at once and other payments are rolled back", async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const phone = `98000000${String(index).padStart(2, "0")}`;
        return (await api.create(api.periods.monthly, { phone })).subscription_id;
      }),
    );
    const payAndRollBack = async (id: string) => {
      const client = await service.pool.connect();
      await client.query("begin");
      await client.query(
        `insert into payment (payment_id, seller_id, subscription_id, schedule, period_start, amount, currency, fee,
           method, paid_at)
         values (gen_random_uuid(), $1, $2, 9, now(), 5, 'NPR', 0, 'cash', now())`,
        [api.seller.seller_id, id],
      );
      // The deferred triggers run, and then everything is rolled back.
      await client.query("set constraints all immediate");
      await client.query("rollback");
      client.release();
    };
    await Promise.all(ids.flatMap((id) => [api.pay(id), payAndRollBack(id)]));
    expect(await numbers()).toEqual(
      ids.map((_, index) => `R-2082/83-${String(index + 1).padStart(5, "0")}`),
    );
  });

  it("start again from 1 with each fiscal year in the seller's time zone", async () => {
    // 17 July 2026 is 1 Shrawan 2083; the day begins in Kathmandu at 18:15 of the day before in UTC.
    for (const [at, phone] of [
      ["2026-07-16T18:14:59Z", "9800000001"],
      ["2026-07-16T18:15:00Z", "9800000002"],
    ] as const) {
      service.clock.set(at);
      await api.createActive(api.periods.monthly, { phone });
    }
    expect(await numbers()).toEqual(["R-2082/83-00001", "R-2083/84-00001"]);
    service.clock.set("2026-03-10T06:00:00Z");
    seller = await BookedSeller.open(service, fake);
    ({ api } = seller);
    await service.pool.query(
      "update seller set time_zone = 'America/New_York' where seller_id = $1",
      [api.seller.seller_id],
    );
    for (const [at, phone] of [
      ["2027-01-01T04:59:59Z", "9800000001"],
      ["2027-01-01T05:00:00Z", "9800000002"],
    ] as const) {
      service.clock.set(at);
      await api.createActive(api.periods.monthly, { phone });
    }
    expect(await numbers()).toEqual(["R-2026-00001", "R-2027-00001"]);
  });

  it("start again on 1 Shrawan of the Bikram Sambat calendar in the years 1943 to 2033", async () => {
    const { rows } = await service.pool.query<{ day: string; year: number }>(
      `select day::date::text as day, nepal_fiscal_year(day::date) as year
       from generate_series('1943-07-16'::date, '2033-12-31', '1 day') day
       where extract(month from day) = 7 and extract(day from day) between 14 and 19`,
    );
    const wrong = rows.filter(({ day, year }) => {
      const bs = toBikramSambat(day);
      return bs === null || year !== (bs.month >= 4 ? bs.year : bs.year - 1);
    });
    expect([rows.length > 500, wrong]).toEqual([true, []]);
  });

  it("start again on 17 July in years whose Nepali calendar is not published", async () => {
    const yearOf = async (day: string) =>
      queryValue(service.pool, "select fiscal_year($1::date, 'nepal')", [day]);
    const days = ["2034-07-16", "2034-07-17", "2035-07-16", "2035-07-17", "2047-01-01"];
    expect(await Promise.all(days.map(yearOf))).toEqual([
      "2090/91",
      "2091/92",
      "2091/92",
      "2092/93",
      "2103/04",
    ]);
  });
});

describe("a bill", () => {
  it("has the ledger's amount for a payment, refund or reversal, and is found by payment, date, fiscal year and number", async () => {
    expect((await change({ issues_vat_bills: true })).statusCode).toBe(400);
    const settings = { issues_vat_bills: true, pan: "301234567", prefix: "HIM" };
    expect((await change(settings)).statusCode).toBe(200);
    await seller.addProvider();
    const { subscription_id } = await api.create();
    await seller.payAtProvider(subscription_id);
    const [payment] = await seller.payments();
    if (!payment) throw new Error("no payment");
    for (const amount of ["100.01", "100.01", "929.98"])
      await seller.giveBack(payment.payment_id, amount);
    const cash = await api.create(api.periods.monthly, { phone: "9800000002" });
    const { id } = await seller.recordCash(cash.subscription_id);
    await seller.reverse(id);
    const { results, totals } = await list();
    expect(results.map(({ number, amount, vat }) => [number, amount, vat])).toEqual([
      ["HIM-B-2082/83-00001", "1130.00", "130.00"],
      // The tax of these three credit notes adds up to that of the bill.
      ["HIM-C-2082/83-00001", "100.01", "11.51"],
      ["HIM-C-2082/83-00002", "100.01", "11.50"],
      ["HIM-C-2082/83-00003", "929.98", "106.99"],
      ["HIM-B-2082/83-00002", "1130.00", "130.00"],
      ["HIM-C-2082/83-00004", "1130.00", "130.00"],
    ]);
    expect(results.map(({ corrects }) => corrects)).toEqual([
      null,
      "HIM-B-2082/83-00001",
      "HIM-B-2082/83-00001",
      "HIM-B-2082/83-00001",
      null,
      "HIM-B-2082/83-00002",
    ]);
    const { totals: booked } = await seller.statement("2026-03");
    const sum = (kind: string) => totals?.find((each) => each.kind === kind)?.amount;
    expect(sum("vat_bill")).toBe(booked[0]?.paid);
    const back = [booked[0]?.given_back, booked[0]?.taken_back];
    expect(sum("credit_note")).toBe(
      totalAmount(back.map((amount = "0.00") => ({ amount, count: 1 }))),
    );
    expect((await list(`?payment_id=${payment.payment_id}`)).results).toHaveLength(4);
    for (const [query, count] of [
      ["until=2026-03-09", 0],
      ["fiscal_year=2082/83", 6],
      ["fiscal_year=2026", 0],
    ] as const)
      expect((await list(`?${query}`)).results).toHaveLength(count);
    const page = await list("?page_size=4");
    const next = new URL(page.next ?? "");
    const rest = await service.call(await withAccountToken(service, api.seller), {
      url: `${next.pathname}${next.search}`,
    });
    const following = AccountBillPage.parse(rest.json());
    expect([...page.results, ...following.results]).toEqual(results);
    expect([page.totals, following.totals]).toEqual([totals, null]);
    const newest = await list("?order=newest&page_size=4");
    const older = await list(`?order=newest&page_size=4&after=${newest.results.at(-1)?.id}`);
    expect([...newest.results, ...older.results]).toEqual(results.toReversed());
    expect([newest.next?.includes("order=newest"), older.next]).toEqual([true, null]);
    const found = async (number: string) =>
      (await list(`?number=${encodeURIComponent(number)}`)).results.map((one) => one.number);
    for (const two of ["2", "२"])
      expect(await found(two)).toEqual(["HIM-C-2082/83-00002", "HIM-B-2082/83-00002"]);
    expect(await found(" him-c-2082/83-00003 ")).toEqual(["HIM-C-2082/83-00003"]);
    expect(await found("b-2082/83")).toEqual(["HIM-B-2082/83-00001", "HIM-B-2082/83-00002"]);
    // A phone number is not searched for, and % is no wildcard.
    for (const none of ["9800000002", "99999999999999999999", "%", "HIM_"])
      expect(await found(none)).toEqual([]);
  });

  it("is the same PDF for the seller and the buyer, even after the settings change, and another seller gets a 404", async () => {
    const id = await api.createActive();
    const [bill] = (await list()).results;
    if (!bill) throw new Error("no bill");
    const one = await readPdf(bill.id);
    expect(one.name).toBe("R-2082-83-00001.pdf");
    await change({ prefix: "LATER", address: "Pokhara" });
    expect(await readPdf(bill.id)).toEqual(one);
    const read = (url: string) => service.call(null, { url });
    const answer = await read(`/pay/${id}/bill/${bill.id}`);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([
      200,
      "application/pdf",
    ]);
    expect(answer.rawPayload.toString("base64")).toBe(one.content);
    const other = await SellerApi.open(service);
    const foreign = await other.createActive();
    expect((await read(`/pay/${foreign}/bill/${bill.id}`)).statusCode).toBe(404);
    const account = await withAccountToken(service, other.seller);
    const stolen = await service.call(account, { url: `${BILLS}${bill.id}/pdf/` });
    expect(stolen.statusCode).toBe(404);
  });

  it("has a public page at its code with only the number and sum, and wrong codes are soon refused with a 429", async () => {
    await api.createActive();
    const found = await queryRow<{ code: string }>(
      service.pool,
      "select code from bill where seller_id = $1",
      [api.seller.seller_id],
    );
    const read = (code: string) => service.call(null, { url: `/bill/${code}` });
    const page = await read(found?.code ?? "");
    expect(page.statusCode).toBe(200);
    expect(page.headers["cache-control"]).toBe("no-store");
    const words = page.body
      .replaceAll(/<head>[^]*<\/head>|<nav[^]*<\/nav>|<[^>]+>/g, " ")
      .split(/\s+/)
      .join(" ")
      .trim();
    expect(words).toBe(
      "This bill was issued This is a test. The bill is not valid. Receipt R-2082/83-00001 Sum NPR 1,130.00",
    );
    expect(page.body).toContain('name="robots" content="noindex"');
    const wrong = "3b1f0c9e-1111-4222-8333-444455556666";
    const statuses = [];
    for (let tries = 0; tries < 40; tries += 1) statuses.push((await read(wrong)).statusCode);
    expect([statuses[0], statuses.at(-1)]).toEqual([404, 429]);
  });

  it("is queued once as a message with a link for the buyer, if the seller chose to send bills", async () => {
    const type = { "content-type": "application/json" };
    const account = await withAccountToken(service, api.seller);
    const settings = { url: "http://127.0.0.1:9/sms", successText: "ok" };
    const channel = await service.call(account, {
      method: "POST",
      url: "/account/v1/channels/sms/",
      payload: { provider: "http_sms", settings, version: null },
      headers: type,
    });
    expect(channel.statusCode, channel.body).toBe(200);
    await api.createActive();
    expect((await change({ sends_bills: true })).statusCode).toBe(200);
    const id = await api.createActive(api.periods.monthly, { phone: "9800000002" });
    while ((await queueBills(service.context)) > 0);
    const { rows } = await service.pool.query<{ phone: string; body: string }>(
      "select phone, body from message where seller_id = $1 and kind = 'receipt'",
      [api.seller.seller_id],
    );
    const [, bill] = (await list()).results;
    const address = `${service.context.publicUrl}/pay/${id}/bill/${bill?.id}`;
    expect(rows).toEqual([
      {
        phone: "9800000002",
        body: expect.stringMatching(/: Receipt · रसिद R-2082\/83-00002, NPR 1,130\.00\. http/),
      },
    ]);
    expect(rows[0]?.body).toContain(address);
  });

  it("cannot be changed or deleted", async () => {
    await api.createActive();
    for (const text of [
      "update bill set number = 7",
      "delete from bill",
      "truncate bill cascade",
    ])
      await expect(service.pool.query(text)).rejects.toThrow("append-only");
  });
});
