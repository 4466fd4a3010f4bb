import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BuyerRequest, BuyerRequestPage } from "#contract/buyer-requests.ts";
import { BuyerBrowser, wordsOf } from "../testing/buyer-browser.ts";
import { buildDescribedService, createDescribedCaller } from "../testing/described.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { withAccountToken } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const DAY = 86_400_000;
const URL = "/account/v1/buyer-requests/";
const by = { id: "7", name: "Sita Rai" };

async function begin() {
  const api = await SellerApi.open(service);
  const id = await api.createActive();
  const browser = await (await BuyerBrowser.at(api)).enter("9800000001");
  const owner = await withAccountToken(service, api.seller);
  const list = async (query = "") =>
    BuyerRequestPage.parse((await service.call(owner, { url: `${URL}${query}` })).json());
  const answer = (request: string, body: object) =>
    service.call(owner, {
      method: "POST",
      url: `${URL}${request}/answer/`,
      payload: { by, ...body },
    });
  const ask = (fields: Record<string, string>) =>
    browser.send("ask", { subscription: id, until: "", words: "", ...fields });
  const newest = async () => (await list()).results[0]?.id ?? "";
  return { api, id, browser, list, answer, ask, newest };
}

describe("a buyer", () => {
  it("asks for a pause, and the seller's acceptance moves the billing date", async () => {
    const { api, id, browser, list, answer, ask, newest } = await begin();
    await ask({ kind: "pause", until: "2026-06-01", words: "We are away." });
    await ask({ kind: "stop" });
    expect(await list("?is_open=true")).toMatchObject({
      open: 1,
      results: [
        {
          subscription_id: id,
          full_name: "Asmita Rai",
          kind: "pause",
          until: "2026-06-01",
          words: "We are away.",
          state: "open",
        },
      ],
    });
    expect(wordsOf(await browser.open())).toContain(
      "You asked for a pause until 1 June 2026. Seller",
    );
    const accepted = await answer(await newest(), { decision: "accept", answer: "Enjoy!" });
    expect(BuyerRequest.parse(accepted.json())).toMatchObject({
      state: "accepted",
      answered_by: "Sita Rai",
    });
    expect((await api.read(id)).next_billing_cycle).toMatch(/^2026-06-01/);
    expect(await browser.open()).toContain("Enjoy!");
    expect((await answer(await newest(), { decision: "decline" })).statusCode).toBe(409);
  });

  it("cannot get a pause while a payment is due: the seller's acceptance gets a 409", async () => {
    const { api, id, browser, answer, ask, newest } = await begin();
    await ask({ kind: "pause", until: "2026-06-01" });
    service.clock.advance(32 * DAY);
    const refused = await answer(await newest(), { decision: "accept" });
    expect(refused.statusCode).toBe(409);
    expect(refused.json<{ detail: string }>().detail).toContain("A payment is due.");
    expect((await api.read(id)).next_billing_cycle).toMatch(/^2026-04-/);
    expect((await answer(await newest(), { decision: "decline" })).statusCode).toBe(200);
    expect(await browser.open()).not.toContain('value="pause"');
  });

  it("asks to stop, and the seller's acceptance cancels the subscription at the end of the period", async () => {
    const { api, id, browser, answer, ask, newest } = await begin();
    await ask({ kind: "stop" });
    expect((await api.read(id)).status).toBe("active");
    expect((await answer(await newest(), { decision: "accept" })).statusCode).toBe(200);
    expect((await api.read(id)).status).toBe("pending_cancellation");
    expect(wordsOf(await browser.open())).toMatch(/You asked to stop. Seller \S+ has agreed./);
  });

  it("reads why a request was declined, can withdraw requests, and can make five requests a day", async () => {
    const { api, id, browser, list, answer, ask, newest } = await begin();
    await ask({ kind: "stop" });
    await answer(await newest(), { decision: "decline", answer: "Your contract runs a year." });
    expect(await browser.open()).toContain("Your contract runs a year.");
    for (let times = 0; times < 4; times += 1) {
      service.clock.advance(1_000);
      await ask({ kind: "stop" });
      await browser.send("withdraw", { id: await newest() });
    }
    expect((await list()).results.map(({ state }) => state)).toEqual([
      ...Array<string>(4).fill("withdrawn"),
      "declined",
    ]);
    const gone = await answer(await newest(), { decision: "accept" });
    expect([gone.statusCode, gone.body]).toEqual([409, expect.stringContaining("withdrew")]);
    expect((await api.read(id)).status).toBe("active");
    expect((await ask({ kind: "stop" })).query.get("outcome")).toBe("asked_often");
    expect(await browser.open("?outcome=asked_often")).toContain("Wait until tomorrow");
    service.clock.advance(DAY);
    await browser.enter("9800000001");
    expect((await ask({ kind: "stop" })).query.get("outcome")).toBe(null);
  });

  it.each(["", "2026-04-10", "2028-01-01", "soon", "2026-02-30"])(
    "is told that a pause cannot last until %j",
    async (until) => {
      const { list, ask } = await begin();
      expect((await ask({ kind: "pause", until })).query.get("outcome")).toBe("day");
      expect((await list()).open).toBe(0);
    },
  );

  it("can ask for a pause of a yearly subscription with a message of many lines", async () => {
    const { api, list, ask } = await begin();
    const yearly = await api.createActive(api.periods.yearly);
    const words = "a\r\n".repeat(248) + "end";
    const sent = await ask({ subscription: yearly, kind: "pause", until: "2027-06-01", words });
    expect(sent.query.get("outcome")).toBe(null);
    expect((await list()).results).toMatchObject([
      { subscription_id: yearly, until: "2027-06-01", words: words.replaceAll("\r", "") },
    ]);
  });

  it("cannot send or withdraw a request for another buyer's subscription, or ask to stop a one-time purchase", async () => {
    const { api, browser, list, ask } = await begin();
    const once = await api.createActive(api.periods.once);
    expect((await ask({ subscription: once, kind: "stop" })).query.get("outcome")).toBe(
      "not_possible",
    );
    const theirs = await api.createActive(api.periods.monthly, {
      phone: "9800000002",
      email: "other@example.com",
    });
    const other = await (await BuyerBrowser.at(api)).enter("9800000002");
    await other.send("ask", { subscription: theirs, kind: "stop" });
    const [request] = (await list()).results;
    const answers = [];
    for (const subscription of [theirs, randomUUID()])
      answers.push(await ask({ subscription, kind: "stop" }));
    for (const id of [request?.id ?? "", randomUUID(), "x"])
      answers.push(await browser.send("withdraw", { id }));
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    expect((await list()).results).toMatchObject([{ state: "open", subscription_id: theirs }]);
  });
});

it("a request to stop an ended subscription cannot be accepted and stays open, and no other seller can see or answer it", async () => {
  const { api, id, list, answer, ask, newest } = await begin();
  await ask({ kind: "stop" });
  const other = await begin();
  for (const request of [await newest(), randomUUID(), "1"])
    expect((await other.answer(request, { decision: "accept" })).statusCode).toBe(404);
  expect((await other.list()).results).toEqual([]);
  await api.wait(40);
  expect((await api.read(id)).status).not.toBe("active");
  const refused = await answer(await newest(), { decision: "accept" });
  expect([refused.statusCode, refused.body]).toEqual([
    400,
    expect.stringContaining("cannot be cancelled"),
  ]);
  expect((await list("?is_open=true")).open).toBe(1);
});

it("the answers of the routes for buyers' requests match the OpenAPI description", async () => {
  const { api, ask, newest, browser } = await begin();
  await ask({ kind: "stop" });
  const owner = await withAccountToken(service, api.seller);
  const caller = createDescribedCaller(await buildDescribedService());
  const answer = { url: `${URL}${await newest()}/answer/`, method: "POST" } as const;
  await caller.send(service, 200, { url: URL }, owner);
  await caller.send(service, 400, { url: `${URL}?is_open=maybe` }, owner);
  await caller.send(service, 400, { ...answer, payload: { by } }, owner);
  await caller.send(service, 200, { ...answer, payload: { by, decision: "decline" } }, owner);
  await caller.send(service, 409, { ...answer, payload: { by, decision: "decline" } }, owner);
  const form = (path: string, fields: Record<string, string>) => ({
    url: `${browser.address}/${path}`,
    method: "POST" as const,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      cookie: browser.cookie,
      "content-type": "application/x-www-form-urlencoded",
    },
  });
  await caller.send(service, 303, form("ask", {}), null);
  await caller.send(service, 303, form("withdraw", { id: await newest() }), null);
  await caller.send(service, 404, form("withdraw", { id: randomUUID() }), null);
});
