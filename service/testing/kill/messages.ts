import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import type pg from "pg";
import { openPool } from "../../db/database.ts";
import { createRandom, type Random } from "../../seed/random.ts";
import { testCodeOf } from "../../checkout/codes.ts";
import { requestCode } from "../checkout-forms.ts";
import { Endpoint } from "../endpoint.ts";
import { ProcessFleet } from "../processes.ts";
import { openClient, type RemoteService } from "../remote.ts";
import { SellerApi } from "../seller-api.ts";
import { withAccountToken } from "../service.ts";
import { waitUntilNoRow } from "../until-none.ts";

const OF_A_KIND = 4;
const JSON_TYPE = { "content-type": "application/json" };
/** Milliseconds from the check of a code's time to its arrival, on a busy machine. */
const ON_THE_WAY = 1_500;

/** A message whose cause the service acknowledged; each goes to a number of its own. */
interface Acknowledged {
  kind: "code" | "reminder" | "test";
  phone: string;
  /** The code in its text. */
  code?: string;
}

interface Stored {
  kind: string;
  phone: string;
  state: string;
  has_text: boolean;
  expires_at: Date;
}

interface Scene {
  service: RemoteService;
  fleet: ProcessFleet;
  gateway: Endpoint;
  arrivals: Arrival[];
  pool: pg.Pool;
  random: Random;
}

interface Arrival {
  to: string;
  text: string;
  at: number;
}

export type MessageKillReport = Awaited<ReturnType<typeof killMessageWorkers>>;

/**
 * Sellers queue codes, reminders and test messages while the worker that sends them is killed
 * between its steps and restarted; then the arrivals are compared with the acknowledged messages.
 * @throws Error that names what was lost, repeated or late
 */
export async function killMessageWorkers(options: {
  databaseUrl: string;
  rounds: number;
  seed: number;
  onRound: (round: number) => void;
}) {
  const pool = openPool(options.databaseUrl);
  const fleet = new ProcessFleet(options.databaseUrl, ["service", "worker"]);
  const gateway = await Endpoint.listen();
  const service = openClient(fleet, pool);
  const random = createRandom(options.seed);
  const arrivals: Arrival[] = [];
  const scene = { service, fleet, gateway, arrivals, pool, random };
  try {
    const acknowledged: Acknowledged[] = [];
    for (let round = 1; round <= options.rounds; round += 1) {
      acknowledged.push(...(await playRound(scene, round)));
      options.onRound(round);
    }
    await fleet.ready();
    const open = "select 1 from message where state in ('queued', 'sending')";
    await waitUntilNoRow(pool, open, "messages have no end", () => delay(500));
    return await compare(scene, acknowledged);
  } finally {
    await fleet.close();
    await gateway.close();
    await pool.end();
  }
}

async function playRound(scene: Scene, round: number): Promise<Acknowledged[]> {
  const { fleet, pool, random } = scene;
  await fleet.ready();
  const seller = await openSeller(scene, round);
  const killed = killAtSomeStep(scene);
  const acknowledged = await queueMessages(scene, seller);
  // Some codes end soon, so that the restarted worker finds them too late.
  if (random.chance(0.5))
    await pool.query(
      `update message set expires_at = now() + $2 * interval '1 millisecond'
       where seller_id = $1 and kind = 'code' and state in ('queued', 'sending')`,
      [seller.api.seller.seller_id, random.integer(0, 3_000)],
    );
  await killed;
  return acknowledged;
}

/** Kills the worker as a message reaches the gateway, as it is answered, or at any moment. */
async function killAtSomeStep({ fleet, gateway, arrivals, random }: Scene) {
  const worker = fleet.programs.find(({ role }) => role === "worker");
  assert.ok(worker);
  const step = random.pick(["arrival", "answer", "moment"] as const);
  const { promise, resolve: kill } = Promise.withResolvers<void>();
  let left = random.integer(1, 2 * OF_A_KIND);
  const isReached = (at: string) => step === at && (left -= 1) === 0;
  gateway.answer = (response) => {
    const fields = new URLSearchParams(gateway.arrivals.at(-1)?.body);
    arrivals.push({
      to: fields.get("to") ?? "",
      text: fields.get("text") ?? "",
      at: Date.now(),
    });
    if (isReached("arrival")) kill();
    else setTimeout(answer, random.integer(0, 15));
    function answer() {
      response.writeHead(200).end();
      if (isReached("answer")) kill();
    }
  };
  const moment = delay(step === "moment" ? random.integer(0, 1_500) : 10_000);
  await Promise.race([promise, moment]);
  await fleet.replace(worker);
}

async function openSeller({ service, gateway }: Scene, round: number) {
  const api = await SellerApi.open(service);
  const owner = await withAccountToken(service, api.seller);
  const ask = async (method: "POST" | "PATCH", path: string, payload: object) => {
    const url = `/account/v1/${path}`;
    const answer = await service.call(owner, { method, url, payload, headers: JSON_TYPE });
    assert.ok(answer.statusCode < 300, answer.body);
  };
  const settings = { url: gateway.url, auth: "bearer", secret: "secret", successText: "" };
  const channel = { provider: "http_sms", settings, version: null, per_minute: 6_000 };
  await ask("POST", "channels/sms/", channel);
  await ask("PATCH", "reminders/schedule/", {
    version: null,
    is_on: true,
    quiet_hours: null,
    most_a_week: null,
    steps: [
      {
        kind: "on_day",
        time: "00:00",
        texts: [{ language: "en", subject: "Payment", text: "{amount} {link} {stop}" }],
      },
    ],
  });
  const phone = (kind: number, index: number) =>
    `98${kind}${String(round).padStart(5, "0")}${String(index).padStart(2, "0")}`;
  return { api, ask, phone };
}

async function queueMessages(
  { service, pool }: Scene,
  { api, ask, phone }: Awaited<ReturnType<typeof openSeller>>,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = [];
  const indexes = [...Array(OF_A_KIND).keys()];
  const billed = indexes.map((index) => phone(1, index));
  for (const each of billed) await api.create(api.periods.monthly, { phone: each });
  await pool.query(
    `update subscription set status = 'active', current_period_start = now(),
       next_billing_cycle = now() + interval '1 day',
       anchor_day = extract(day from now() + interval '1 day')
     where seller_id = $1`,
    [api.seller.seller_id],
  );
  const checkouts = await Promise.all(
    indexes.map(async (index) => {
      const of = { phone: phone(2, index), email: `buyer${index}@example.com` };
      return { ...of, id: (await api.create(api.periods.monthly, of)).subscription_id };
    }),
  );
  const moved = await api.post("/sandbox/clock/advance/", { by: "P1D" });
  assert.equal(moved.statusCode, 200, moved.body);
  acknowledged.push(...billed.map((each) => ({ kind: "reminder", phone: each }) as const));
  for (const index of indexes) {
    await ask("POST", "channels/sms/test/", { to: phone(3, index) });
    acknowledged.push({ kind: "test", phone: phone(3, index) });
    const checkout = checkouts[index];
    if (!checkout) continue;
    const attempt = await requestCode(service, checkout.id);
    assert.notEqual(attempt, "");
    acknowledged.push({ kind: "code", phone: checkout.phone, code: testCodeOf(attempt) });
  }
  return acknowledged;
}

async function compare({ pool, arrivals, fleet }: Scene, acknowledged: Acknowledged[]) {
  const { rows } = await pool.query<Stored>(
    "select kind, phone, state, body is not null as has_text, expires_at from message",
  );
  const stored = new Map(rows.map((row) => [row.phone, row]));
  const arrived = Map.groupBy(arrivals, ({ to }) => to.replace(/^\+977/, ""));
  const problems: string[] = [];
  for (const { kind, phone, code } of acknowledged) {
    const row = stored.get(phone);
    const own = arrived.get(phone) ?? [];
    const say = (what: string) =>
      problems.push(`a ${kind} ${what} (${row?.state ?? "no row"})`);
    if (row?.kind !== kind) {
      say("was lost");
      continue;
    }
    if (row.state === "accepted" && own.length === 0) say("was accepted and did not arrive");
    if (kind !== "code") {
      if (own.length > 1) say(`arrived ${own.length} times`);
      if (!["accepted", "unknown"].includes(row.state)) say("was not sent");
      continue;
    }
    if (row.has_text) say("kept its text");
    if (own.some(({ text }) => !text.includes(code ?? ""))) say("is another one");
    const end = row.expires_at.getTime() + ON_THE_WAY;
    if (own.some(({ at }) => at > end)) say("was sent late");
    if (row.state !== "accepted" && row.expires_at.getTime() > Date.now()) say("was not sent");
  }
  if (rows.length !== acknowledged.length)
    problems.push(`${rows.length} messages of ${acknowledged.length} acknowledged ones`);
  if (fleet.complaints !== "") problems.push(fleet.complaints);
  if (problems.length > 0)
    throw new Error(`${problems.length} problems:\n${problems.slice(0, 12).join("\n")}`);
  const unknown = rows.filter(({ state }) => state === "unknown");
  const ofCodes = rows.filter(({ kind }) => kind === "code");
  return {
    acknowledged: acknowledged.length,
    accepted: rows.filter(({ state }) => state === "accepted").length,
    /** Messages under way as the worker was killed: those that did not arrive, and those that did. */
    notArrived: unknown.filter(({ phone }) => !arrived.has(phone)).length,
    unknownArrived: unknown.filter(({ phone }) => arrived.has(phone)).length,
    codesTwice: ofCodes.filter(({ phone }) => (arrived.get(phone)?.length ?? 0) > 1).length,
    codesEnded: ofCodes.filter(({ state }) => state === "expired").length,
  };
}
