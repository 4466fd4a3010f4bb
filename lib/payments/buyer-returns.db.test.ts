import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import {
  createIndexedSeller,
  makeSubscription,
} from "#tools/testing/fixtures/records-fixture.ts";
import { stubEnvironment } from "#tools/testing/person.ts";
import { readReceiverToken } from "#tools/testing/fixtures/receiver-fixture.ts";
import {
  answerReturnPage,
  findReturnPage,
  forgetReturns,
  recordBuyerReturn,
} from "./buyer-returns.ts";

stubEnvironment();
useDashboardDatabase();

const HERE = "203.0.113.7";
const NOW = Date.parse("2027-01-20T10:00:00Z");
const paid = makeSubscription();
const id = paid.subscription_id;
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await createIndexedSeller(pool, { subscriptions: [paid] });
  token = await readReceiverToken(owner);
});

describe("the buyers' return page", () => {
  test("is found only by its exact token", async () => {
    const { rows } = await pool.query<{ return_token: string }>(
      "select return_token from seller where id = $1",
      [owner.seller_id],
    );
    const own = rows[0]?.return_token ?? "";
    await expect(findReturnPage(pool, own)).resolves.toMatchObject({ name: "Phewa" });
    for (const wrong of ["", own.slice(1), own.toUpperCase(), token, "0".repeat(64)])
      await expect(findReturnPage(pool, wrong)).resolves.toBeNull();
  });

  test("stores one row for each valid subscription id and nothing for invalid ids", async () => {
    for (const odd of [undefined, "", "sub-1", [id], `${id}'--`, "\0"])
      await recordBuyerReturn(pool, owner.seller_id, odd, HERE);
    await recordBuyerReturn(pool, owner.seller_id, id, HERE);
    await recordBuyerReturn(pool, owner.seller_id, id.toUpperCase(), HERE);
    const { rows } = await pool.query(
      "select mode, subscription_id from buyer_return where seller_id = $1",
      [owner.seller_id],
    );
    expect(rows).toEqual([{ mode: "test", subscription_id: id }]);
  });
});

test("returns with unknown subscription ids are limited in number; returns with known ids are not", async () => {
  const note = (subscription_id: string) =>
    recordBuyerReturn(pool, owner.seller_id, subscription_id, HERE);
  const noted = async () => {
    const { rows } = await pool.query<{ subscription_id: string }>(
      "select subscription_id from buyer_return where seller_id = $1 order by first_at, 1",
      [owner.seller_id],
    );
    return rows.length;
  };
  await pool.query(
    `insert into buyer_return (seller_id, mode, subscription_id)
     select $1, 'test', gen_random_uuid()::text from generate_series(1, 1000)`,
    [owner.seller_id],
  );
  await note(randomUUID());
  await expect(noted()).resolves.toBe(1_001);
  await pool.query("update buyer_return set is_known = false where seller_id = $1", [
    owner.seller_id,
  ]);
  await note(randomUUID());
  await expect(noted()).resolves.toBe(1_001);
  await note(id);
  await expect(noted()).resolves.toBe(1_002);
});

describe("repeated visits to the return page", () => {
  const note = (subscription_id: string, address = "203.0.113.7", seconds = 0) =>
    recordBuyerReturn(
      pool,
      owner.seller_id,
      subscription_id,
      address,
      new Date(NOW + seconds * 1_000),
    );
  const left = async () => {
    const { rows } = await pool.query<{ noted: number; waiting: number }>(
      `select (select count(*)::int from buyer_return where seller_id = $1) as noted,
              (select count(*)::int from mirror_hint where seller_id = $1) as waiting`,
      [owner.seller_id],
    );
    return [rows[0]?.noted, rows[0]?.waiting];
  };
  const open = async (times: number, from: (time: number) => string, seconds = 0) => {
    for (let time = 0; time < times; time += 1) await note(randomUUID(), from(time), seconds);
  };

  test("from one network are stored up to 240 times an hour, and then up to four times a minute", async () => {
    await open(250, (time) => `2001:db8::${time.toString(16)}`);
    expect(await left()).toEqual([240, 240]);
    await open(2, () => "2001:db8::1", 16);
    expect(await left()).toEqual([241, 241]);
    // Other networks and sellers have limits of their own.
    await note(id, "203.0.113.8", 16);
    expect(await left()).toEqual([242, 242]);
    const other = await createIndexedSeller(pool, { subscriptions: [paid] });
    owner = other;
    await note(id, "2001:db8::1", 16);
    expect(await left()).toEqual([1, 1]);
  });

  test("to one seller are limited over all networks together", async () => {
    const networks = (time: number) => `198.51.${time >> 8}.${time & 255}`;
    await open(1_205, networks);
    expect(await left()).toEqual([1_000, 1_000]);
    await note(id, "203.0.113.99");
    expect(await left()).toEqual([1_000, 1_000]);
    await note(id, "203.0.113.99", 1);
    expect((await left())[0]).toBe(1_001);
  });

  test("are deleted after 30 days, even without new visits", async () => {
    await open(3, () => "203.0.113.7");
    await note(id);
    const age =
      "update buyer_return set last_at = now() - make_interval(days => $2) where seller_id = $1";
    await pool.query(age, [owner.seller_id, 29]);
    await forgetReturns(pool);
    expect((await left())[0]).toBe(4);
    await pool.query(age, [owner.seller_id, 31]);
    await forgetReturns(pool);
    expect((await left())[0]).toBe(0);
  });

  test("above the limit do not query the database, while visits from other addresses are answered", async () => {
    const { rows } = await pool.query<{ return_token: string }>(
      "select return_token from seller where id = $1",
      [owner.seller_id],
    );
    const own = rows[0]?.return_token ?? "";
    let asked = 0;
    const countedPool = new Proxy(pool, {
      get: (target, name) => {
        if (name === "query" || name === "connect") asked += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    const come = (address: string, token = own, subscription_id: string | undefined = id) =>
      answerReturnPage(
        countedPool,
        async () => true,
        { token, subscription_id, address },
        new Date(NOW),
      );
    const answers = [];
    for (let time = 0; time < 120; time += 1) answers.push(await come(HERE));
    expect(answers.every((answer) => answer?.name === "Phewa" && answer.paid)).toBe(true);
    asked = 0;
    expect(await come(HERE)).toEqual({ name: null, paid: false });
    expect(asked).toBe(0);
    expect(await come("198.51.100.1")).toEqual({ name: "Phewa", paid: true });
    expect(await come(HERE, "0".repeat(64))).toBeNull();
    const inventor = "192.0.2.1";
    for (let time = 0; time < 600; time += 1)
      await come(inventor, String(time).padStart(64, "0"));
    asked = 0;
    expect(await come(inventor, "f".repeat(64))).toEqual({ name: null, paid: false });
    expect(asked).toBe(0);
    for (let network = 0; network < 1_080; network += 1)
      await come(`198.52.${network >> 8}.${network & 255}`, own, "");
    asked = 0;
    expect(await come("198.51.100.2")).toEqual({ name: null, paid: false });
    expect(asked).toBe(0);
  });
});
