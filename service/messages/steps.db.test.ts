import { afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { ChannelSetup, SentMessage, type MessagePage } from "#contract/messages.ts";
import { answerWith, Endpoint } from "../testing/endpoint.ts";
import { SellerApi } from "../testing/seller-api.ts";
import { TEST_SECRETS_KEY, withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";
import { createMessageWorker } from "./worker.ts";

const service = useTestService();
const MINUTE = 60_000;
const SMS = "/account/v1/channels/sms/";

// A statement that changes over 1,000 messages fails, as it would run out of time at a large seller.
beforeAll(() =>
  service.pool.query(`
    create function require_few() returns trigger language plpgsql as $$
    begin
      if (select count(*) from changed) > 1000 then raise 'too many messages in a statement'; end if;
      return null;
    end $$;
    create trigger require_few after update on message referencing new table as changed
      for each statement execute function require_few()`),
);

// The workers of the next test would send what this one queued.
afterEach(() => service.pool.query("delete from message"));

async function withWorker(work: (worker: ReturnType<typeof createMessageWorker>) => unknown) {
  const worker = createMessageWorker({
    ...service.context,
    secretsKey: TEST_SECRETS_KEY,
    timeout: 2_000,
    write: async () => null,
    onError: (error) => {
      throw error;
    },
  });
  await work(worker);
  await worker.close();
}
const sweep = () => withWorker((worker) => worker.sweep());

/** A seller with a channel for SMS, and the gateway where they would arrive. */
async function open() {
  const gateway = await Endpoint.listen();
  onTestFinished(() => gateway.close());
  gateway.answer = answerWith(200);
  const { seller } = await SellerApi.open(service);
  const owner = await withAccountToken(service, seller);
  const setup = { provider: "http_sms", settings: { url: gateway.url }, per_minute: 6_000 };
  const { version } = await post(owner, SMS, { ...setup, version: null }, ChannelSetup);
  const switchSms = (is_active: boolean, known: string | null = version) =>
    post(owner, SMS, { ...setup, is_active, version: known }, ChannelSetup);
  const removeSms = () => post(owner, `${SMS}remove/`, {});
  return { gateway, owner, id: seller.seller_id, switchSms, removeSms };
}

async function post<Answer>(
  owner: TestSeller,
  url: string,
  payload: object,
  answer?: { parse: (body: unknown) => Answer },
) {
  const response = await service.call(owner, { method: "POST", url, payload });
  expect([response.statusCode, response.body]).toEqual([
    url.endsWith("/test/") ? 201 : 200,
    expect.any(String),
  ]);
  return answer ? answer.parse(response.json()) : (response.json() as Answer);
}

/** Queues a test message of the seller and copies of it. @returns the message's id */
async function queue(owner: TestSeller, count: number, changes: object = {}) {
  const { id } = await post(owner, `${SMS}test/`, { to: "9800000001" }, SentMessage);
  await service.pool.query(
    "update message m set (state, kind, sent_at) = (select state, kind, sent_at from jsonb_populate_record(m, $2)) where message_id = $1",
    [id, JSON.stringify(changes)],
  );
  await copy(id, count - 1);
  return id;
}

const copy = (id: string, count: number) =>
  service.pool.query(
    `insert into message
     select (jsonb_populate_record(m, jsonb_build_object(
       'message_id', gen_random_uuid(), 'cause', m.cause || ':' || gen_random_uuid()))).*
     from message m, generate_series(1, $2) where m.message_id = $1`,
    [id, count],
  );

async function countsOf(sellerId: number) {
  const { rows } = await service.pool.query<{ name: string; count: number }>(
    `select concat_ws(' ', m.kind, m.state, c.channel) as name, count(*)::int
     from message m left join message_channel c using (seller_id, channel_id)
     where m.seller_id = $1 group by 1`,
    [sellerId],
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const newestOf = async (owner: TestSeller) =>
  (await service.call(owner, { url: "/account/v1/messages/" })).json<MessagePage>().results[0];

const addWhatsapp = (sellerId: number) =>
  service.pool.query(
    `insert into message_channel (seller_id, channel, provider, sealed_settings, per_minute,
       created_at, free_at)
     values ($1, 'whatsapp', 'whatsapp_cloud', '', 60, now(), $2)`,
    [sellerId, new Date(service.clock.now().getTime() + 60 * MINUTE)],
  );

const WAYS = ["switched off", "removed"];
const leave = async (
  way: string,
  { switchSms, removeSms }: Awaited<ReturnType<typeof open>>,
) => {
  await (way === "removed" ? removeSms() : switchSms(false));
};

describe("2,500 messages of a seller", () => {
  it("expire in one sweep, in which another seller's message expires too", async () => {
    const large = await open();
    const other = await open();
    await queue(large.owner, 2_500);
    await queue(other.owner, 1);
    service.clock.advance(24 * 60 * MINUTE);
    await sweep();
    expect(await countsOf(large.id)).toEqual({ "test expired sms": 2_500 });
    expect(await countsOf(other.id)).toEqual({ "test expired sms": 1 });
  });

  it("that were sent keep their state when their channel is removed", async () => {
    const seller = await open();
    await queue(seller.owner, 2_500, { state: "delivered", sent_at: service.clock.now() });
    await seller.removeSms();
    const gone = { state: "delivered", channel: null, to: "9800000001", due_at: null };
    expect(await newestOf(seller.owner)).toMatchObject(gone);
    await seller.switchSms(true, null);
    expect(await newestOf(seller.owner)).toMatchObject(gone);
    expect(await countsOf(seller.id)).toEqual({ "test delivered": 2_500 });
  });

  it.each(WAYS)(
    "are moved to the seller's next channel when their channel is %s",
    async (way) => {
      const seller = await open();
      await queue(seller.owner, 2_500);
      await addWhatsapp(seller.id);
      await leave(way, seller);
      expect(await countsOf(seller.id)).toMatchObject({ "test queued whatsapp": 1_000 });
      await sweep();
      expect(await countsOf(seller.id)).toEqual({ "test queued whatsapp": 2_500 });
    },
  );

  it.each(WAYS)("are never sent once their only channel is %s", async (way) => {
    const seller = await open();
    await queue(seller.owner, 1_250);
    await queue(seller.owner, 1_250, { kind: "code" });
    await leave(way, seller);
    expect(await countsOf(seller.id)).toMatchObject({ "code failed": 1_000 });
    await withWorker((worker) => worker.sendDue());
    const leaving = await countsOf(seller.id);
    expect(Object.keys(leaving).filter((name) => /sending|accepted/.test(name))).toEqual([]);
    await sweep();
    expect(await countsOf(seller.id)).toEqual({ "code failed": 1_250, "test failed": 1_250 });
    expect(seller.gateway.arrivals).toEqual([]);
  });

  it("that were not moved yet keep their channel if the channel is soon switched on again", async () => {
    const seller = await open();
    await queue(seller.owner, 2_500);
    await addWhatsapp(seller.id);
    const { version } = await seller.switchSms(false);
    await seller.switchSms(true, version);
    await sweep();
    expect(await countsOf(seller.id)).toMatchObject({ "test queued whatsapp": 1_000 });
  });
});

it.each(WAYS)(
  "a message whose attempt ends with a retry after its channel was %s is moved to the next channel",
  async (way) => {
    const seller = await open();
    const id = await queue(seller.owner, 1, { state: "sending" });
    await addWhatsapp(seller.id);
    await leave(way, seller);
    await sweep();
    service.clock.advance(MINUTE);
    // The attempt that was under way ends: its gateway asked to be called again later.
    await service.pool.query("update message set state = 'queued' where message_id = $1", [id]);
    await sweep();
    expect(await countsOf(seller.id)).toEqual({ "test queued whatsapp": 1 });
    service.clock.advance(10 * MINUTE);
    await sweep();
    const { rows } = await service.pool.query(
      "select lost_channels, lost_until from seller where seller_id = $1",
      [seller.id],
    );
    expect(rows).toEqual([{ lost_channels: [], lost_until: null }]);
  },
);
