import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { queryRows } from "../db/database.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { beginAtBuyersPage, BuyerBrowser, wordsOf } from "../testing/buyer-browser.ts";
import { fetchCheckoutPage, postForm } from "../testing/checkout-forms.ts";
import { deleteEndedSignIns } from "./store.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const live = useTestService("live");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const begin = () => beginAtBuyersPage(service);

describe("a stranger", () => {
  /** A seller in live mode with channels, so that the messages with codes are queued. */
  async function beginLive() {
    const api = await SellerApi.open(live);
    await live.pool.query(
      `insert into message_channel (seller_id, channel, provider, sealed_settings, per_minute, created_at)
       values ($1, 'sms', 'http_sms', '', 60, now()), ($1, 'email', 'smtp', '', 60, now())`,
      [api.seller.seller_id],
    );
    await live.pool.query("update seller set pay_otherwise = 'Cash' where seller_id = $1", [
      api.seller.seller_id,
    ]);
    await api.create();
    const queued = () =>
      queryRows<{ phone: string; email: string }>(
        live.pool,
        `select phone, email from message where seller_id = $1 and kind = 'code' order by email`,
        [api.seller.seller_id],
      );
    return { api, queued, browser: await BuyerBrowser.at(api) };
  }

  it("gets the same answers for known and unknown phone numbers and emails, and a code is sent only to known ones", async () => {
    const { api, queued } = await beginLive();
    const seen = [];
    for (const address of [
      "9800000001",
      "9811111111",
      "asmita@example.com",
      "nobody@example.org",
    ]) {
      const browser = await BuyerBrowser.at(api);
      const asked = await browser.send("code", { phone_or_email: address });
      const id = asked.query.get("code") ?? "";
      const form = await browser.page(`?code=${id}`);
      const wrong = await browser.send("enter", { id, code: "000000" });
      const again = await browser.send("code", { phone_or_email: address });
      const text = wordsOf(form.body).replaceAll(/•+ ?\d+,?|\S*•\S*/g, "…");
      seen.push([asked.status, form.status, text, wrong.query.get("outcome"), again.status]);
      expect(again.body).toContain("less than half a minute ago");
    }
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1);
    expect(await queued()).toEqual([
      { phone: "9800000001", email: "" },
      { phone: "", email: "asmita@example.com" },
    ]);
  });

  it("cannot use other spellings of a phone number to learn whether the number is known: all count as one number", async () => {
    const { api } = await beginLive();
    await api.create(api.periods.monthly, { phone: "+919876543210" });
    for (const national of ["9876543210", "9811111111"]) {
      const browser = await BuyerBrowser.at(api);
      expect(await browser.ask(`+91${national}`)).not.toBe("");
      for (const spelling of [`0091 ${national}`, `+91 0${national}`])
        expect([spelling, await browser.ask(spelling)]).toEqual([spelling, ""]);
    }
  });

  it("waits at least 299 ms for the answer, whether the phone number is known or not", async () => {
    const { api } = await beginLive();
    const timeOf = async (address: string) => {
      const browser = await BuyerBrowser.at(api);
      const start = performance.now();
      await browser.ask(address);
      return performance.now() - start;
    };
    for (const address of ["9800000001", "9811111111"])
      expect(await timeOf(address)).toBeGreaterThanOrEqual(299);
  });

  it("cannot guess a code: a code allows five tries, even at once, and a phone number gets five codes an hour", async () => {
    const { browser } = await begin();
    const id = await browser.ask("9800000001");
    const right = testCodeOf(id);
    const guesses = Array.from({ length: 12 }, (_, index) => String(100_000 + index)).filter(
      (code) => code !== right,
    );
    const outcomes = await Promise.all(
      guesses.map(async (code) =>
        (await browser.send("enter", { id, code })).query.get("outcome"),
      ),
    );
    expect(outcomes.filter((one) => one === "wrong_code")).toHaveLength(4);
    const late = await browser.send("enter", { id, code: right });
    expect([late.query.get("outcome"), late.set]).toEqual(["expired", ""]);
    for (let sent = 1; sent < 5; sent += 1) {
      service.clock.advance(MINUTE);
      expect(await browser.ask("9800000001")).not.toBe("");
    }
    service.clock.advance(MINUTE);
    expect((await browser.send("code", { phone_or_email: "9800000001" })).body).toContain(
      "too often",
    );
    service.clock.advance(HOUR);
    expect(await browser.ask("9800000001")).not.toBe("");
  });

  it("is refused after asking for codes for too many phone numbers, at one seller or from one network", async () => {
    const { api } = await beginLive();
    const browser = await BuyerBrowser.at(api);
    const answers = [];
    for (let number = 0; number < 35; number += 1)
      answers.push(browser.send("code", { phone_or_email: `98222222${10 + number}` }));
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(30);
    await live.pool.query(
      `insert into buyer_sign_in (sign_in_id, seller_id, phone_key, email, code_hash, created_at, expires_at)
       select gen_random_uuid(), $1, 'x' || n, '', '', $2, $2 from generate_series(1, 270) n`,
      [api.seller.seller_id, live.clock.now()],
    );
    const refused = await (
      await BuyerBrowser.at(api)
    ).send("code", { phone_or_email: "9800000001" });
    expect([refused.status, refused.body]).toEqual([400, expect.stringContaining("too often")]);
  });

  it("cannot use up a phone number's codes for other networks; all networks together get 15 codes an hour", async () => {
    const { api } = await begin();
    const [stranger, owner, third, fourth] = await Promise.all(
      Array.from({ length: 4 }, () => BuyerBrowser.at(api)),
    );
    const ask = async (browser: BuyerBrowser | undefined) => {
      service.clock.advance(31_000);
      return (await browser?.ask("9800000001")) !== "";
    };
    const askOften = async (browser: BuyerBrowser | undefined) => {
      let began = 0;
      for (let time = 0; time < 7; time += 1) if (await ask(browser)) began += 1;
      return began;
    };
    expect(await askOften(stranger)).toBe(5);
    expect(await askOften(owner)).toBe(5);
    expect(await askOften(third)).toBe(5);
    expect(await ask(fourth)).toBe(false);
    service.clock.advance(HOUR);
    expect(await ask(fourth)).toBe(true);
  });

  it("cannot use up a seller's hourly codes for other networks", async () => {
    const { api } = await beginLive();
    const browser = await BuyerBrowser.at(api);
    const began = [];
    for (let minute = 0; minute < 4; minute += 1) {
      const numbers = Array.from(
        { length: 30 },
        (_, index) => `98333${10_000 + minute * 30 + index}`,
      );
      began.push(...(await Promise.all(numbers.map((number) => browser.ask(number)))));
      live.clock.advance(MINUTE);
    }
    expect(began.filter((id) => id !== "").length).toBeLessThan(110);
    expect(await (await BuyerBrowser.at(api)).ask("9800000001")).not.toBe("");
    live.clock.advance(HOUR);
    expect(await browser.ask("9800000002")).not.toBe("");
  });

  it("cannot open or change a buyer's page with another seller's code or session, or with a forged session", async () => {
    const { api, owed, browser } = await begin();
    const other = await SellerApi.open(service);
    await other.create(other.periods.monthly, { phone: "9800000009" });
    const elsewhere = await BuyerBrowser.at(other);
    const id = await elsewhere.ask("9800000009");
    const foreign = await browser.send("enter", { id, code: testCodeOf(id) });
    expect([foreign.query.get("outcome"), foreign.set]).toEqual(["expired", ""]);
    await elsewhere.send("enter", { id, code: testCodeOf(id) });
    const key = browser.address.slice("/my/".length);
    const request = await browser.ask("9800000001");
    const { cookie } = elsewhere;
    for (const forged of [
      cookie,
      cookie.replace(/buyer\.\w+/, `buyer.${key}`),
      `duebook.buyer.${key}=${request}.`,
      `duebook.buyer.${key}=${request}.x`,
      `duebook.buyer.${key}=${request}`,
    ]) {
      browser.cookie = forged;
      expect(await browser.open()).not.toContain(owed);
      for (const path of ["language", "reminders", "leave"])
        await browser.send(path, { language: "ne", choice: "stop" });
    }
    const changed = await queryRows(
      service.pool,
      `select 1 from customer where seller_id = $1 and language is not null
       union all select 1 from reminder_recipient where seller_id = $1`,
      [api.seller.seller_id],
    );
    expect(changed).toEqual([]);
  });

  it("sees only the subscriptions of their own phone number after signing in", async () => {
    const { api, paid, owed, browser } = await begin();
    const { subscription_id: theirs } = await api.create(api.periods.monthly, {
      phone: "9800000002",
      full_name: "Bimala Gurung",
      email: "bimala@example.com",
    });
    await browser.enter("9800000002");
    const page = await browser.open();
    expect(page).toContain(theirs);
    for (const own of [paid, owed, "Asmita", "9800000001", "asmita@"])
      expect(page).not.toContain(own);
    const unknown = await (await BuyerBrowser.at(api)).enter("9833333333");
    expect(wordsOf(await unknown.open())).toContain("There is nothing here.");
  });

  it("gets a 403 for a form sent from another site, and a 404 for a page that does not exist", async () => {
    const { browser } = await begin();
    for (const path of ["code", "enter", "leave", "language", "reminders"]) {
      const sent = await postForm(
        service,
        `${browser.address}/${path}`,
        {},
        { "sec-fetch-site": "cross-site" },
      );
      expect([path, sent.status]).toEqual([path, 403]);
    }
    for (const url of ["/my/none", "/my/%00", `/my/${randomUUID()}`])
      expect((await fetchCheckoutPage(service, url)).status).toBe(404);
  });

  it("who enters an unknown phone number leaves that number stored until a day after the code expired", async () => {
    const { browser } = await begin();
    await browser.ask("9844444444");
    const kept = async () => {
      const before = new Date(service.clock.now().getTime() - 24 * HOUR);
      while ((await deleteEndedSignIns(service.pool, before, 1)) > 0);
      return queryRows(
        service.pool,
        "select sign_in_id from buyer_sign_in where phone_key = '9844444444'",
      );
    };
    service.clock.advance(24 * HOUR);
    expect(await kept()).toHaveLength(1);
    service.clock.advance(HOUR);
    expect(await kept()).toEqual([]);
  });

  it("cannot ask for a code if the seller has no channel for messages", async () => {
    const api = await SellerApi.open(live);
    const browser = await BuyerBrowser.at(api);
    expect(await browser.open()).toContain("cannot send codes at the moment");
    expect((await browser.send("code", { phone_or_email: "9800000001" })).status).toBe(400);
  });
});
