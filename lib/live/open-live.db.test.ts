import { afterEach, beforeEach, expect, test } from "vitest";
import type pg from "pg";
import { PUBLISHED_HASH } from "#lib/auth/sessions/published-password.ts";
import { createSession, revokeAllSessions } from "#lib/auth/sessions/session.ts";
import { saveApiKey } from "#lib/billing/connection.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { createIndexOwner } from "#tools/testing/fixtures/search-index-fixture.ts";
import { database, pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { Hub } from "./hub.ts";
import type { LiveEvent } from "./queries.ts";
import { STREAMS_PER_PERSON, LiveStreams, type StreamStart } from "./open-live.ts";
import { hashSessionSecret } from "#lib/auth/sessions/visit.ts";

useDashboardDatabase();
let owner: KeyOwner;
let user_id: string;
let session_id: Buffer;
let processes: { hub: Hub; streams: LiveStreams }[] = [];

beforeEach(async () => {
  owner = await createIndexOwner();
  const { rows } = await pool.query<{ id: string }>(
    `insert into app_user (email, name, password_hash)
     values (gen_random_uuid() || '@example.com', 'Asha', '') returning id`,
  );
  user_id = rows[0]?.id ?? "";
  await pool.query(
    "insert into membership (user_id, seller_id, role) values ($1, $2, 'viewer')",
    [user_id, owner.seller_id],
  );
  session_id = hashSessionSecret(await createSession(pool, { user_id }));
});

afterEach(async () => {
  for (const { hub, streams } of processes) {
    streams.close();
    await hub.close();
  }
  processes = [];
});

const NEW: StreamStart = { after: null, since: null };
const FAR_FUTURE = 2 ** 31 - 1;

async function startProcess() {
  const hub = new Hub(database.url);
  const one = { hub, streams: new LiveStreams(hub, pool, FAR_FUTURE) };
  processes.push(one);
  await until(() => hub.isListening);
  return one;
}

/** Waits until the condition is true; each query gives the code under test time to make it so. */
async function until(isSo: () => boolean) {
  while (!isSo()) await pool.query("select 1");
}

interface Message {
  id: number | null;
  type: string;
  event: LiveEvent | null;
}

function read(stream: ReadableStream<Uint8Array> | null) {
  const messages: Message[] = [];
  const comments: string[] = [];
  const state = { isOver: false };
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  const go = async () => {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) break;
      for (const block of decoder.decode(value).split("\n\n").filter(Boolean)) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const data = field("data");
        if (data === undefined) comments.push(block);
        else
          messages.push({
            id: Number(field("id") ?? Number.NaN) || null,
            type: field("event") ?? "message",
            event: data === "{}" ? null : JSON.parse(data),
          });
      }
    }
    state.isOver = true;
  };
  void go();
  return { messages, comments, state, cancel: () => reader?.cancel() };
}

/** The text that a new stream sends at once. */
async function opening(stream: ReadableStream<Uint8Array> | null): Promise<string> {
  const reader = stream?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(": here")) text += decoder.decode((await reader?.read())?.value);
  await reader?.cancel();
  return text;
}

const tell = (ids: string[], who: KeyOwner = owner) =>
  pool.query("select notify_live($1, $2, 'change', $3)", [who.seller_id, who.mode, ids]);
const idsOf = ({ messages }: ReturnType<typeof read>) =>
  messages.flatMap(({ event }) => event?.ids ?? event?.kind ?? []);

const visitor = () => ({ owner, user_id, session_id });

test("streams in all processes receive a notice, but only those of its seller and mode", async () => {
  const [first, second] = [await startProcess(), await startProcess()];
  const streams = [first, second].map((one) => read(one.streams.open(visitor(), NEW)));
  const stranger = await createIndexOwner();
  const strangers = read(first.streams.open({ ...visitor(), owner: stranger }, NEW));
  const otherMode = read(
    first.streams.open({ ...visitor(), owner: { ...owner, mode: "live" } }, NEW),
  );
  await tell(["sub-1"]);
  for (const stream of streams) await until(() => idsOf(stream).includes("sub-1"));
  expect(idsOf(strangers)).toEqual(["refresh"]);
  expect(idsOf(otherMode)).toEqual(["refresh"]);
});

test("a stream that was cut resumes after its last event, even at another process", async () => {
  const [first, second] = [await startProcess(), await startProcess()];
  const cut = read(first.streams.open(visitor(), NEW));
  await tell(["sub-1"]);
  await until(() => idsOf(cut).includes("sub-1"));
  await cut.cancel();
  expect(first.streams.count).toBe(0);
  await tell(["sub-2"]);
  await tell(["sub-3"], await createIndexOwner());
  await tell(["sub-4"]);
  await until(() => second.hub.last === first.hub.last);
  const after = cut.messages.at(-1)?.id ?? 0;
  const again = read(second.streams.open(visitor(), { after, since: null }));
  await until(() => again.messages.length === 2);
  expect(idsOf(again)).toEqual(["sub-2", "sub-4"]);
});

test("a stream that is cut while missed events are replayed can resume without losing any event", async () => {
  const { hub, streams } = await startProcess();
  await tell(["sub-1"]);
  await until(() => hub.last > 0);
  const first = hub.last;
  for (const id of ["sub-2", "sub-3"]) await tell([id]);
  await until(() => hub.last >= first + 2);
  const text = await opening(streams.open(visitor(), { after: first, since: null }));
  // Wherever the stream is cut, the browser's last id is not ahead of the events that it received.
  const places = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(places).toEqual([first + 1, first + 2, hub.last]);
});

test("a stream that missed too many events gets one refresh event instead", async () => {
  const { hub, streams } = await startProcess();
  await tell(["sub-0"]);
  await until(() => hub.last > 0);
  const first = hub.last;
  const many = Array.from({ length: 50 }, (_one, at) => `${"x".repeat(90)}-${at}`);
  for (let told = 0; told < 20; told += 1) await tell(many);
  await until(() => hub.last >= first + 20);
  const stream = read(streams.open(visitor(), { after: first, since: null }));
  await until(() => stream.messages.length === 1);
  expect(idsOf(stream)).toEqual(["refresh"]);
  await tell(["sub-1"]);
  await until(() => idsOf(stream).includes("sub-1"));
});

test("a stream that resumes at an unknown position gets a refresh event", async () => {
  const { streams } = await startProcess();
  const lost = read(streams.open(visitor(), { after: 987_654, since: null }));
  await until(() => lost.messages.length === 1);
  expect(idsOf(lost)).toEqual(["refresh"]);
});

test("a new stream starts with the events from two seconds before its page was rendered", async () => {
  const { hub, streams } = await startProcess();
  const rendered = Date.now() + 2_000;
  await tell(["sub-1"]);
  await until(() => hub.last > 0);
  const early = read(streams.open(visitor(), { after: null, since: rendered }));
  await until(() => early.messages.length > 0 || early.comments.length > 1);
  expect(idsOf(early)).toEqual(["sub-1"]);
});

test("when the database connection is lost, streams are paused and then get a refresh event", async () => {
  const { hub, streams } = await startProcess();
  const stream = read(streams.open(visitor(), NEW));
  await cutListeners(pool);
  await until(() => !hub.isListening);
  await until(() => hub.isListening);
  await until(() => stream.messages.length === 3);
  expect(stream.messages.map(({ type, event }) => event?.kind ?? type)).toEqual([
    "refresh",
    "paused",
    "refresh",
  ]);
  await tell(["sub-5"]);
  await until(() => idsOf(stream).includes("sub-5"));
});

const cutListeners = (db: pg.Pool) =>
  db.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'duebook live' and datname = current_database()",
  );

test.each([
  ["a revoked session", () => revokeAllSessions(pool, user_id)],
  [
    "a removed member",
    () => pool.query("delete from membership where user_id = $1", [user_id]),
  ],
  [
    "a member without the required second factor",
    () =>
      pool.query("update seller set demands_second_factor = true where id = $1", [
        owner.seller_id,
      ]),
  ],
  [
    "an account with the published password and a live key",
    async () => {
      const publish = "update app_user set password_hash = $2 where id = $1";
      await pool.query(publish, [user_id, PUBLISHED_HASH]);
      const key = { apiKey: "a key", state: "good", user_id: null } as const;
      await saveApiKey(pool, { ...owner, mode: "live" }, key, [Buffer.alloc(32, 7)]);
    },
  ],
  ["a deleted account", () => pool.query("delete from app_user where id = $1", [user_id])],
])("the next heartbeat ends the stream of %s", async (_what, end) => {
  const { streams } = await startProcess();
  const stream = read(streams.open(visitor(), NEW));
  await streams.beat();
  expect(stream.state.isOver).toBe(false);
  expect(stream.comments.at(-1)).toBe(": alive");
  await end();
  await streams.beat();
  await until(() => stream.state.isOver);
  expect(stream.messages.at(-1)?.type).toBe("over");
  expect(streams.count).toBe(0);
});

test("the number of open streams is limited for each person", async () => {
  const { streams } = await startProcess();
  for (let open = 0; open < STREAMS_PER_PERSON; open += 1)
    expect(streams.open(visitor(), NEW)).not.toBeNull();
  expect(streams.open(visitor(), NEW)).toBeNull();
  expect(streams.open({ ...visitor(), user_id: "another" }, NEW)).not.toBeNull();
});

test("the stream of a browser that stops reading is closed", async () => {
  const { hub, streams } = await startProcess();
  const stream = streams.open(visitor(), NEW);
  const many = Array.from({ length: 50 }, (_one, at) => `${"x".repeat(90)}-${at}`);
  for (let told = 0; told < 20; told += 1) await tell(many);
  await until(() => hub.last > 0 && streams.count === 0);
  await stream?.cancel();
});

test("a process that shuts down ends its open streams and every later stream", async () => {
  const { streams } = await startProcess();
  const stream = read(streams.open(visitor(), NEW));
  streams.close();
  await until(() => stream.state.isOver);
  const late = read(streams.open(visitor(), NEW));
  await until(() => late.state.isOver);
  expect(streams.count).toBe(0);
});
