import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import type { KeyOwner } from "#lib/billing/api-key.ts";
import { keepShownPayments } from "#lib/mirror/ledger.ts";
import { pool, useDashboardDatabase } from "#scripts/testing/dashboard.ts";
import { makeCopy, makeSubscription, storeMade } from "#scripts/testing/made-copy.ts";
import { stubEnvironment } from "#scripts/testing/person.ts";
import {
  deliverTo,
  keepSecret,
  signed,
  succeeded,
  tokenOf,
} from "#scripts/testing/receiver-desk.ts";
import { findReturnPage, isPaid, noteReturn } from "./data.ts";

stubEnvironment();
useDashboardDatabase();

const HERE = "203.0.113.7";
const OTHER_SECRET = `whsec_${Buffer.from("another secret of thirty-two bytes").toString("base64")}`;
const NOW = Date.parse("2027-01-20T10:00:00Z");
const paid = makeSubscription();
const id = paid.subscription_id;
let owner: KeyOwner;
let token: string;

beforeEach(async () => {
  owner = await makeCopy(pool, { subscriptions: [paid] });
  token = await tokenOf(owner);
  await keepSecret(owner);
});

const deliver = async (sent: Parameters<typeof signed>[0]) =>
  deliverTo(token, await signed(sent));

describe("the page that buyers come back to", () => {
  test("is found by its whole token alone", async () => {
    const { rows } = await pool.query<{ return_token: string }>(
      "select return_token from seller where id = $1",
      [owner.seller_id],
    );
    const own = rows[0]?.return_token ?? "";
    await expect(findReturnPage(pool, own)).resolves.toMatchObject({ name: "Phewa" });
    for (const wrong of ["", own.slice(1), own.toUpperCase(), token, "0".repeat(64)])
      await expect(findReturnPage(pool, wrong)).resolves.toBeNull();
  });

  test("notes nothing for what is no id, and one row for each that is", async () => {
    for (const odd of [undefined, "", "sub-1", [id], `${id}'--`, "\0"])
      await noteReturn(pool, owner.seller_id, odd, HERE);
    await noteReturn(pool, owner.seller_id, id, HERE);
    await noteReturn(pool, owner.seller_id, id.toUpperCase(), HERE);
    const { rows } = await pool.query(
      "select mode, subscription_id from buyer_return where seller_id = $1",
      [owner.seller_id],
    );
    expect(rows).toEqual([{ mode: "test", subscription_id: id }]);
  });
});

test("of ids that nobody knows only so many are noted, and of those that are known all", async () => {
  const note = (subscription_id: string) =>
    noteReturn(pool, owner.seller_id, subscription_id, HERE);
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

describe("the page that buyers come back to says that it is paid", () => {
  const copied = (
    status: string,
    current_period_start: string | null = null,
    ends = "2027-02-20T06:15:00Z",
  ) =>
    storeMade(pool, owner, {
      subscriptions: [
        makeSubscription({
          subscription_id: id,
          status,
          current_period_start,
          current_period_end: ends,
          next_billing_cycle: ends,
        }),
      ],
    });
  const says = () => isPaid(pool, owner.seller_id, id);

  test("as soon as the record shows it", async () => {
    await copied("pending_checkout");
    await expect(says()).resolves.toBe(false);
    await copied("active", "2027-01-20T06:15:00Z");
    await expect(says()).resolves.toBe(true);
  });

  test("when a verified delivery came first, and not of a forged one", async () => {
    await copied("pending_checkout");
    await deliver({ body: succeeded(id), secret: OTHER_SECRET });
    await expect(says()).resolves.toBe(false);
    await deliver({ id: "true", body: succeeded(id) });
    await expect(says()).resolves.toBe(true);
  });

  test("not when a due one was only moved, but when it is paid after that", async () => {
    await copied("due", "2027-01-20T06:15:00Z");
    await expect(says()).resolves.toBe(false);
    await copied("active", "2027-01-20T06:15:00Z", "2027-02-27T06:15:00Z");
    await expect(says()).resolves.toBe(false);
    await copied("due", "2027-01-20T06:15:00Z", "2027-02-27T06:15:00Z");
    await copied("active", "2027-02-27T06:15:00Z", "2027-03-27T06:15:00Z");
    await expect(says()).resolves.toBe(true);
  });

  test("not of one that runs and no payment of is known, as one that was moved before it was copied", async () => {
    await expect(says()).resolves.toBe(false);
  });

  test("not of a date that was moved to, though its period's beginning was paid", async () => {
    const start = new Date(Date.now() - 3_600_000).toISOString();
    await copied("pending_checkout");
    await deliver({ id: "true", body: succeeded(id) });
    await copied("active", start);
    await keepShownPayments(pool, owner);
    await expect(says()).resolves.toBe(true);
    await copied("due", start);
    await expect(says()).resolves.toBe(false);
    await copied("active", start, "2027-03-01T06:15:00Z");
    await expect(says()).resolves.toBe(false);
  });

  test("of what ends with its period, and of a one-time purchase, which has none", async () => {
    await copied("pending_checkout");
    await copied("active", "2027-01-20T06:15:00Z");
    await copied("pending_cancellation", "2027-01-20T06:15:00Z");
    await expect(says()).resolves.toBe(true);
    const once = { current_period_start: null, current_period_end: null };
    const [waiting, bought] = ["pending_checkout", "active"].map((status) =>
      makeSubscription({
        subscription_id: "11111111-2222-4333-8444-555555555555",
        status,
        ...once,
        next_billing_cycle: null,
      }),
    );
    for (const one of [waiting, bought])
      await storeMade(pool, owner, { subscriptions: one ? [one] : [] });
    await expect(isPaid(pool, owner.seller_id, bought?.subscription_id)).resolves.toBe(true);
  });

  test("of no other seller's, and of no id that is none", async () => {
    const other = await makeCopy(pool, { subscriptions: [] });
    await copied("active", "2027-01-20T06:15:00Z");
    await expect(isPaid(pool, other.seller_id, id)).resolves.toBe(false);
    for (const odd of [undefined, "", [id], "\0"])
      await expect(isPaid(pool, owner.seller_id, odd)).resolves.toBe(false);
  });
});

describe("whoever opens the page of a return again and again", () => {
  const note = (subscription_id: string, address = "203.0.113.7", seconds = 0) =>
    noteReturn(
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

  test("writes and wakes from one network 240 times in an hour, then four times a minute", async () => {
    await open(250, (time) => `2001:db8::${time.toString(16)}`);
    expect(await left()).toEqual([240, 240]);
    await open(2, () => "2001:db8::1", 16);
    expect(await left()).toEqual([241, 241]);
    // Another network, and another seller from this one, are not held up.
    await note(id, "203.0.113.8", 16);
    expect(await left()).toEqual([242, 242]);
    const other = await makeCopy(pool, { subscriptions: [paid] });
    owner = other;
    await note(id, "2001:db8::1", 16);
    expect(await left()).toEqual([1, 1]);
  });

  test("from many networks does so for one seller so often and no more", async () => {
    const networks = (time: number) => `198.51.${time >> 8}.${time & 255}`;
    await open(1_205, networks);
    expect(await left()).toEqual([1_000, 1_000]);
    await note(id, "203.0.113.99");
    expect(await left()).toEqual([1_000, 1_000]);
    await note(id, "203.0.113.99", 1);
    expect((await left())[0]).toBe(1_001);
  });

  test("leaves nothing that is older than thirty days", async () => {
    await open(3, () => "203.0.113.7");
    await pool.query("update buyer_return set last_at = now() - interval '31 days'");
    await note(id);
    expect((await left())[0]).toBe(1);
  });
});
