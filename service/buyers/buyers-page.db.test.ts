import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { queryRow, queryRows } from "../db/database.ts";
import { fetchCheckoutPage } from "../testing/checkout-forms.ts";
import { buildDescribedService, createDescribedCaller } from "../testing/described.ts";
import { beginAtBuyersPage, BuyerBrowser, wordsOf } from "../testing/buyer-browser.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { testCodeOf } from "../checkout/codes.ts";

const service = useTestService();
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const begin = () => beginAtBuyersPage(service);

describe("a buyer", () => {
  it("signs in with a code to their phone and sees subscriptions, debts and payments, with links to pay and to the bill", async () => {
    const { api, paid, owed, browser } = await begin();
    await browser.enter("+977 980-0000001");
    const page = await browser.page();
    const words = wordsOf(page.body);
    expect(words).toContain("To pay Milk Daily half litre · weekly");
    expect(page.body).toContain(`href="/pay/${owed}"`);
    expect(words).toMatch(/What you have Milk Daily litre · Monthly Runs until 10 April 2026/);
    expect(page.body).toContain(`href="/pay/${paid}?early=1"`);
    expect(words).toContain(
      "Payments NPR 1,130.00 Milk · 10 March 2026, 11:45 · Mobile wallet",
    );
    expect(words).toContain("Asmita Rai 9800000001 asmita@example.com Patan, Lalitpur");
    const [, bill = ""] = /href="(\/pay\/[^"]+\/bill\/[^"]+)"/.exec(page.body) ?? [];
    const pdf = await fetchCheckoutPage(service, bill, browser.cookie);
    expect([pdf.status, pdf.headers["content-type"]]).toEqual([200, "application/pdf"]);
    expect(page.headers["cache-control"]).toBe("no-store");
    expect(page.headers["content-security-policy"]).toContain("default-src 'none'");
    await api.pay(owed);
    expect(wordsOf(await browser.open())).toContain("Nothing is owed.");
  });

  it("signs in with a code to their email and sees the subscriptions that were ordered with that email", async () => {
    const { api, owed, browser } = await begin();
    const other = await api.create(api.periods.yearly, {
      phone: "9800000002",
      email: "family@example.com",
    });
    await browser.enter("Family@Example.com");
    const page = await browser.open();
    expect(page).toContain(`/pay/${other.subscription_id}`);
    expect(page).not.toContain(owed);
  });

  it("can read the page in Nepali, and can type the phone number and the code in Nepali digits", async () => {
    const { browser } = await begin();
    const nepali = (text: string) =>
      text.replace(/\d/g, (digit) => "०१२३४५६७८९"[Number(digit)] ?? "");
    const id = await browser.ask(nepali("9800000001"));
    expect(await browser.open(`?code=${id}&lang=ne`)).toContain("एक पटक प्रयोग हुने कोड");
    await browser.send("enter", { id, code: nepali(testCodeOf(id)) });
    const page = await browser.open("?lang=ne");
    expect(page).toContain("तपाईंसँग भएको");
    const own = wordsOf(page).replace(/Seller \S+|Milk|Daily|litre|half|Monthly|weekly/g, "");
    expect(
      own.replace(/Asmita Rai|asmita@example.com|Patan, Lalitpur|R-|English/g, ""),
    ).not.toMatch(/[a-z]/i);
  });

  it("can read the payments of many months in pages, and gets a 404 for a page link with another seller's payment ID", async () => {
    const { api, paid, browser } = await begin();
    for (let month = 0; month < 13; month += 1)
      await service.pool.query(
        `insert into payment (payment_id, seller_id, subscription_id, schedule, period_start, amount,
           currency, fee, method, paid_at)
         select gen_random_uuid(), seller_id, subscription_id, schedule, $2, 100 + $3, 'NPR', 0,
           'cash', $2 from subscription where subscription_id = $1`,
        [paid, new Date(Date.UTC(2025, month - 6, 1)), month],
      );
    await browser.enter("9800000001");
    const first = await browser.open();
    const [, before = ""] = /\?before=([^"]+)"/.exec(first) ?? [];
    const second = await browser.open(`?before=${before}`);
    const amounts = [...`${first}${second}`.matchAll(/<h3>NPR ([\d.,]+)</g)].map(
      ([, sum]) => sum,
    );
    expect(new Set(amounts).size).toBe(14);
    const foreign = await SellerApi.open(service);
    await foreign.createActive();
    const other = await queryRow<{ id: string }>(
      service.pool,
      "select payment_id as id from payment where seller_id = $1",
      [foreign.seller.seller_id],
    );
    const answers = [];
    for (const id of [other?.id, randomUUID(), "x"])
      answers.push(await browser.page(`?before=${id}`));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect(api.seller.seller_id).not.toBe(foreign.seller.seller_id);
  });

  it("can stop reminders even before the first reminder was sent, and can start reminders again", async () => {
    const { api, browser } = await begin();
    await browser.enter("9800000001");
    const listed = async () => {
      const rows = await queryRows<{ phone_key: string }>(
        service.pool,
        `select phone_key from reminder_recipient
         where seller_id = $1 and opted_out_at is not null`,
        [api.seller.seller_id],
      );
      return rows.map(({ phone_key }) => phone_key);
    };
    await browser.send("reminders", { choice: "stop" });
    expect(await listed()).toEqual(["9800000001"]);
    expect(await browser.open()).toContain("no longer sends you reminders");
    await browser.send("reminders", { choice: "resume" });
    expect(await listed()).toEqual([]);
  });

  it("can choose the language of reminders", async () => {
    const { api, paid, browser } = await begin();
    await browser.enter("9800000001");
    await browser.send("language", { language: "ne" });
    const row = await queryRow<{ language: string }>(
      service.pool,
      "select language from customer where seller_id = $1",
      [api.seller.seller_id],
    );
    expect(row?.language).toBe("ne");
    const own = await withAccountToken(service, api.seller);
    const told = await service.call(own, {
      url: `/account/v1/reminders/languages/?subscription_id=${paid}`,
    });
    expect(told.json()).toMatchObject({ language: "ne" });
    expect(await browser.open()).toMatch(/value="ne"\s+required\s+checked/);
  });

  it("is signed in even if the form is sent twice at once, but not with the same code a minute later", async () => {
    const { api, browser } = await begin();
    const id = await browser.ask("9800000001");
    const form = { id, code: testCodeOf(id) };
    const sent = await Promise.all([browser.send("enter", form), browser.send("enter", form)]);
    expect(sent.map(({ set }) => set !== "")).toEqual([true, true]);
    const wrong = await browser.send("enter", { id, code: "000000" });
    service.clock.advance(MINUTE);
    const late = await (await BuyerBrowser.at(api)).send("enter", form);
    for (const { set, query } of [wrong, late])
      expect([set, query.get("outcome")]).toEqual(["", "expired"]);
  });

  it("can end the session by leaving the page, and is signed out after 13 hours in any case", async () => {
    const { browser } = await begin();
    await browser.enter("9800000001");
    const { cookie } = browser;
    expect((await browser.send("leave", {})).set).toMatch(/Max-Age=0; HttpOnly; SameSite=Lax/);
    browser.cookie = cookie;
    expect(await browser.open()).not.toContain("Runs until");
    service.clock.advance(MINUTE);
    await browser.enter("9800000001");
    service.clock.advance(13 * HOUR);
    expect(await browser.open()).not.toContain("Runs until");
  });
});

it("the answers of the buyer's page match the OpenAPI description", async () => {
  const { browser } = await begin();
  const caller = createDescribedCaller(await buildDescribedService());
  const send = (status: number, path: string, fields?: Record<string, string>) =>
    caller.send(
      service,
      status,
      {
        url: `${browser.address}${path}`,
        headers: {
          cookie: browser.cookie,
          "content-type": "application/x-www-form-urlencoded",
        },
        ...(fields && { method: "POST", payload: new URLSearchParams(fields).toString() }),
      },
      null,
    );
  await send(200, "");
  await send(303, "/enter", { id: "", code: "" });
  await send(303, "/code", { phone_or_email: "9800000001" });
  await send(400, "/code", { phone_or_email: "9" });
  await send(404, "0");
  service.clock.advance(MINUTE);
  await browser.enter("9800000001");
  await send(303, "/language", { language: "ne" });
  await send(303, "/reminders", { choice: "resume" });
  await send(303, "/leave", {});
});
