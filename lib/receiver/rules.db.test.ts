import { beforeEach, expect, test } from "vitest";
import { SPECIFIED_EVENTS } from "#contract/names.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { recordEndpointChange, recordEndpoints } from "#lib/billing/receiver-endpoints.ts";
import { readClock } from "#lib/db/pool.ts";
import { createIndexOwner } from "#tools/testing/fixtures/search-index-fixture.ts";
import { pool, useDashboardDatabase } from "#tools/testing/dashboard-database.ts";
import { readReceiverToken } from "#tools/testing/fixtures/receiver-fixture.ts";
import { readReceiver } from "./store.ts";
import { receiverStatusOf } from "./rules.ts";

useDashboardDatabase();
let owner: KeyOwner;
let endpoint_url: string;

beforeEach(async () => {
  owner = await createIndexOwner();
  endpoint_url = `https://duebook.example/api/received/${await readReceiverToken(owner)}`;
});

/** Stores that the service lists endpoints of these kinds. @returns the receiver's state */
async function list(...kinds: string[]) {
  const webhooks = kinds.map((event, id) => ({
    id,
    event,
    endpoint_url,
    is_active: true,
    created_at: "",
  }));
  const listed = { webhooks, is_complete: true, absence: null };
  await recordEndpoints(pool, owner, listed, await readClock(pool));
  return stateOf();
}

const stateOf = () => readReceiver(pool, owner, "https://duebook.example");

test("webhooks of the receiver that were registered by hand at the service are recognized", async () => {
  expect(receiverStatusOf(await list())).toBe("waiting");
  expect(receiverStatusOf(await list(SPECIFIED_EVENTS[0]))).toBe("partly");
  const whole = await list(...SPECIFIED_EVENTS);
  expect(whole).toMatchObject({ was_registered: true, missing: [] });
  expect(whole.registered_at).not.toBeNull();
  // No secret is stored: the service showed none, and none was pasted.
  expect(receiverStatusOf(whole)).toBe("secretless");
});

test("an unreadable or incomplete list of webhooks does not change the recorded endpoints", async () => {
  await list(...SPECIFIED_EVENTS);
  const now = await readClock(pool);
  const nothing = { webhooks: [], is_complete: true, absence: null };
  await recordEndpoints(pool, owner, { ...nothing, absence: "unreadable" }, now);
  await recordEndpoints(pool, owner, { ...nothing, is_complete: false }, now);
  expect((await stateOf()).registered_at).not.toBeNull();
  await recordEndpoints(pool, owner, nothing, now);
  expect(receiverStatusOf(await stateOf())).toBe("lost");
});

test("a webhook of the receiver that is paused or gets another URL is recorded as missing, and other webhooks are ignored", async () => {
  await list(...SPECIFIED_EVENTS);
  const change = (id: number, fields: object = {}) =>
    recordEndpointChange(pool, owner, { id, endpoint_url, is_active: true, ...fields });
  await change(1);
  await change(77, { is_active: false });
  expect((await stateOf()).registered_at).not.toBeNull();
  await change(1, { is_active: false });
  const [, second, third] = SPECIFIED_EVENTS;
  await expect(stateOf()).resolves.toMatchObject({ registered_at: null, missing: [second] });
  await change(2, { endpoint_url: "https://shop.example/hooks" });
  expect((await stateOf()).missing.toSorted()).toEqual([second, third].toSorted());
  const back = await list(...SPECIFIED_EVENTS);
  expect(back.missing).toEqual([]);
  expect(back.registered_at).not.toBeNull();
});
