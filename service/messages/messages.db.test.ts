import { describe, expect, it, onTestFinished } from "vitest";
import { ChannelSetups, SentMessage, type MessagePage } from "#contract/messages.ts";
import { requestCode, submitCodePage } from "../testing/checkout-forms.ts";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { testCodeOf } from "../checkout/codes.ts";
import { dyingPool } from "../testing/dying-pool.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY, withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { createMessageWorker } from "./worker.ts";

const service = useTestService();
const MINUTE = 60_000;

function worker(timeout = 2_000, pool = service.pool, messagesPerHour = 0) {
  const created = createMessageWorker({
    ...service.context,
    pool,
    secretsKey: TEST_SECRETS_KEY,
    timeout,
    messagesPerHour,
    write: async () => null,
    onError: (error) => {
      if (pool === service.pool) throw error;
    },
  });
  onTestFinished(() => created.close());
  return created;
}

/** A gateway that takes everything, and a seller whose messages go through it. */
async function open(settings: Record<string, string> = {}) {
  const gateway = await Endpoint.listen();
  onTestFinished(() => gateway.close());
  gateway.answer = answerWith(200);
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const given = {
    url: gateway.url,
    auth: "bearer",
    secret: "gateway-secret",
    successText: "",
    ...settings,
  };
  const saved = await save(owner, { provider: "http_sms", settings: given, version: null });
  expect([saved.statusCode, saved.body]).toEqual([200, expect.any(String)]);
  return { gateway, api, owner };
}

const save = (owner: TestSeller, payload: object) =>
  service.call(owner, {
    method: "POST",
    url: "/account/v1/channels/sms/",
    payload: { per_minute: 6_000, ...payload },
  });

const messagesOf = async (owner: TestSeller, query = "") =>
  (await service.call(owner, { url: `/account/v1/messages/${query}` })).json<MessagePage>()
    .results;

const sendTest = async (owner: TestSeller) => {
  const url = "/account/v1/channels/sms/test/";
  const answer = await service.call(owner, {
    method: "POST",
    url,
    payload: { to: "9800000001" },
  });
  expect(answer.statusCode).toBe(201);
  return SentMessage.parse(answer.json());
};

describe("the code of a checkout", () => {
  it("is sent to the buyer's phone, opens the payment page, and is not stored in the message", async () => {
    const { gateway, api, owner } = await open();
    const { subscription_id: id } = await api.create(api.periods.monthly);
    const attempt = await requestCode(service, id);
    await worker().sendDue();
    const [sent] = gateway.arrivals;
    const fields = new URLSearchParams(sent?.body);
    expect(fields.get("to")).toMatch(/^\+97798/);
    const code = testCodeOf(attempt);
    expect(fields.get("text")).toContain(`${code} is your code to pay NPR 1,130.00`);
    const [message] = await messagesOf(owner, `?subscription_id=${id}`);
    expect(message).toMatchObject({
      kind: "code",
      state: "accepted",
      channel: "sms",
      text: null,
    });
    const { rows } = await service.pool.query(
      "select body, parameters from message where message_id = $1",
      [message?.id],
    );
    expect(rows).toEqual([{ body: null, parameters: [] }]);
    expect((await submitCodePage(service, id, attempt, { code })).path).toMatch(
      /^\/sandbox-pay/,
    );
  });

  it("is random: five checkouts have at least four different codes", async () => {
    const { api } = await open();
    const codes = new Set<string>();
    for (let buyer = 0; buyer < 5; buyer += 1) {
      const { subscription_id: id } = await api.create(api.periods.monthly, {
        phone: `980000010${buyer}`,
      });
      codes.add(testCodeOf(await requestCode(service, id)));
    }
    expect(codes.size).toBeGreaterThan(3);
  });

  it("is retried while the gateway answers 429, but never after the code's ten minutes", async () => {
    const { gateway, api, owner } = await open();
    gateway.answer = answerWith(429);
    const { subscription_id: id } = await api.create(api.periods.monthly);
    await requestCode(service, id);
    await worker().sendDue();
    service.clock.advance(5_000);
    await worker().sendDue();
    expect(gateway.arrivals).toHaveLength(2);
    service.clock.advance(10 * MINUTE);
    gateway.answer = answerWith(200);
    await worker().sendDue();
    await worker().sweep();
    expect(gateway.arrivals).toHaveLength(2);
    expect((await messagesOf(owner))[0]).toMatchObject({ state: "expired", text: null });
  });

  it("is sent within seconds by another worker after the first worker was killed", async () => {
    const { gateway, api, owner } = await open();
    const { subscription_id: id } = await api.create(api.periods.monthly);
    await requestCode(service, id);
    // The worker looks for codes, marks this one as being sent, and can record nothing more.
    await worker(2_000, dyingPool(service.pool, 3)).sendDue();
    expect((await messagesOf(owner))[0]?.state).toBe("sending");
    const sent = gateway.arrivals.length;
    service.clock.advance(10_000);
    const next = worker();
    await next.sweep();
    await next.sendDue();
    expect(gateway.arrivals).toHaveLength(sent + 1);
    expect((await messagesOf(owner))[0]).toMatchObject({ state: "accepted", text: null });
  });
});

describe("a message", () => {
  it("is sent only once although three workers send concurrently", async () => {
    const { gateway, owner } = await open();
    for (let index = 0; index < 20; index += 1) await sendTest(owner);
    await Promise.all([worker(), worker(), worker()].map((each) => each.sendDue()));
    const sent = await messagesOf(owner, "?state=accepted&page_size=100");
    expect([gateway.arrivals.length, sent.length]).toEqual([20, 20]);
  });

  it("is not sent again if the gateway received the message and did not answer", async () => {
    const { gateway, owner } = await open();
    gateway.answer = () => {};
    await sendTest(owner);
    await worker(200).sendDue();
    service.clock.advance(60 * MINUTE);
    await worker().sendDue();
    expect(gateway.arrivals).toHaveLength(1);
    expect((await messagesOf(owner))[0]?.state).toBe("unknown");
  });

  it("has the state 'unknown' after the program was killed during sending", async () => {
    const { gateway, owner } = await open();
    const { id } = await sendTest(owner);
    await service.pool.query(
      "update message set state = 'sending', leased_until = $2 where message_id = $1",
      [id, service.clock.now()],
    );
    await worker().sweep();
    expect((await messagesOf(owner))[0]?.state).toBe("unknown");
    expect(gateway.arrivals).toEqual([]);
  });

  it("stays queued while the gateway refuses the credentials, and the channel shows the problem", async () => {
    const { gateway, owner } = await open();
    gateway.answer = answerWith(401);
    await sendTest(owner);
    await worker().sendDue();
    const shown = await service.call(owner, { url: "/account/v1/channels/" });
    const [channel] = ChannelSetups.parse(shown.json()).results;
    expect(channel?.problem).toMatch(/401/);
    expect((await messagesOf(owner))[0]?.state).toBe("queued");
    gateway.answer = answerWith(200);
    service.clock.advance(10 * MINUTE);
    await worker().sendDue();
    expect((await messagesOf(owner))[0]?.state).toBe("accepted");
  });
});

describe("a channel", () => {
  it("never shows its secrets, and keeps a secret that a change omits", async () => {
    const { gateway, owner } = await open();
    const listed = await service.call(owner, { url: "/account/v1/channels/" });
    expect(listed.body).not.toContain("gateway-secret");
    const { results, providers } = ChannelSetups.parse(listed.json());
    expect(results[0]).toMatchObject({
      secrets_set: ["secret"],
      settings: { url: gateway.url },
    });
    expect(providers.length).toBeGreaterThan(4);
    const { settings, version } = results[0] ?? {};
    const again = await save(owner, { provider: "http_sms", settings, version });
    expect(again.statusCode).toBe(200);
    expect((await save(owner, { provider: "http_sms", settings, version })).statusCode).toBe(
      409,
    );
    await sendTest(owner);
    await worker().sendDue();
    expect(gateway.arrivals[0]?.headers["authorization"]).toBe("Bearer gateway-secret");
  });

  it("is refused with the names of its invalid settings", async () => {
    const { owner } = await open();
    const answer = await save(owner, {
      provider: "http_sms",
      settings: { url: "no address", nonsense: "1" },
      version: null,
    });
    expect(answer.statusCode).toBe(400);
    expect(Object.keys(answer.json<object>()).toSorted()).toEqual([
      "settings.nonsense",
      "settings.url",
    ]);
  });

  it("that is removed makes its queued messages fail if the seller has no other channel", async () => {
    const { owner, gateway } = await open();
    await sendTest(owner);
    const url = "/account/v1/channels/sms/remove/";
    expect((await service.call(owner, { method: "POST", url })).statusCode).toBe(200);
    await worker().sendDue();
    expect(gateway.arrivals).toEqual([]);
    expect((await messagesOf(owner))[0]).toMatchObject({ state: "failed", channel: null });
  });

  it("cannot be removed by another seller, who does not see its messages", async () => {
    const { owner } = await open();
    await sendTest(owner);
    const other = await withAccountToken(service, (await SellerApi.open(service)).seller);
    expect(await messagesOf(other)).toEqual([]);
    const url = "/account/v1/channels/sms/remove/";
    expect((await service.call(other, { method: "POST", url })).statusCode).toBe(404);
  });
});

describe("a seller's messages over the hourly limit", () => {
  it("wait for the next hour, while codes and other sellers' messages are sent", async () => {
    const { gateway, api, owner } = await open();
    const other = await open();
    for (let sent = 0; sent < 5; sent += 1) await sendTest(owner);
    await sendTest(other.owner);
    const limited = worker(2_000, service.pool, 3);
    service.context.messagesPerHour = 3;
    onTestFinished(() => {
      delete service.context.messagesPerHour;
    });
    await limited.sendDue();
    expect([gateway.arrivals.length, other.gateway.arrivals.length]).toEqual([3, 1]);
    const setups = await service.call(owner, { url: "/account/v1/channels/" });
    const until = "2026-03-10T07:00:00.000Z";
    expect(ChannelSetups.parse(setups.json())).toMatchObject({
      hour_limit: 3,
      over_limit: { count: 2, until },
    });
    const waiting = await messagesOf(owner, "?state=queued");
    expect(waiting.map(({ error_code }) => error_code)).toEqual(["hour_limit", "hour_limit"]);

    const { subscription_id: id } = await api.create();
    expect(await requestCode(service, id)).not.toBe("");
    await limited.sendDue();
    expect(gateway.arrivals).toHaveLength(4);
    expect(await messagesOf(owner, "?kind=code")).toMatchObject([{ state: "accepted" }]);

    service.clock.set(until);
    await limited.sendDue();
    expect(gateway.arrivals).toHaveLength(6);
    const nextHour = await service.call(owner, { url: "/account/v1/channels/" });
    expect(ChannelSetups.parse(nextHour.json()).over_limit).toBeNull();
  });

  it("wait even if three workers send concurrently", async () => {
    const { gateway, owner } = await open();
    for (let sent = 0; sent < 30; sent += 1) await sendTest(owner);
    const workers = Array.from({ length: 3 }, () => worker(2_000, service.pool, 20));
    await Promise.all(workers.map((each) => each.sendDue()));
    expect(gateway.arrivals).toHaveLength(20);
  });
});
