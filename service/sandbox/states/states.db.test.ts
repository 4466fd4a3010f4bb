import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVENT_KINDS } from "#contract/names.ts";
import {
  advanceClockBy,
  listStates,
  postWebhook,
  restoreStateById,
  saveNamedState,
} from "../../testing/saved-states.ts";
import { SellerApi } from "../../testing/seller-api.ts";
import { useTestService } from "../../testing/use-service.ts";
import { SAVED_SELLER_COLUMNS, savedTables } from "../account/tables.ts";
import { MAX_SAVED_BYTES } from "./states.ts";

const service = useTestService();

/** Every row of the account and its derived values, without the log of sent deliveries. */
async function account({ seller: { seller_id } }: SellerApi) {
  const read = async (query: string) => (await service.pool.query(query, [seller_id])).rows;
  const rows: Record<string, unknown> = {};
  for (const { name } of await savedTables(service.pool))
    if (!name.startsWith("delivery") && name !== "idempotency_key")
      rows[name] = await read(
        `select to_jsonb(t) as row from ${name} t where seller_id = $1 order by 1`,
      );
  rows["seller"] = await read(
    `select ${SAVED_SELLER_COLUMNS.join(", ")} from seller where seller_id = $1`,
  );
  rows["tallies"] = await read(
    `select size, status, block, is_one_time, rows from subscription_tally
     where seller_id = $1 and rows <> 0 order by 1, 2, 3, 4`,
  );
  rows["product tallies"] = await read(
    "select * from product_tally where seller_id = $1 and subscribers <> 0 order by product_id",
  );
  rows["waiting"] = await read(
    `select delivery_id, body, state, tries, by_hand from delivery
     where seller_id = $1 and state = 'pending' order by 1`,
  );
  return rows;
}

const ACTS = [
  "create",
  "pay",
  "leave",
  "cancel",
  "resume",
  "reschedule",
  "advance",
  "real time",
  "register",
  "pause",
  "scenario",
  "reset",
  "reset clock",
] as const;
type ScenarioAction = { does: (typeof ACTS)[number]; number: number };

async function act(api: SellerApi, { does, number }: ScenarioAction) {
  const { results } = await api.list("?page_size=100");
  const id = results[number % Math.max(results.length, 1)]?.subscription_id;
  const periods = Object.values(api.periods).filter((period) => !period.startsWith("archived"));
  if (does === "create")
    await api.requestCreate(periods[number % periods.length] ?? "", {
      phone: `98${10_000_000 + (number % 5)}`,
    });
  if (does === "advance") await advanceClockBy(api, `P${1 + (number % 40)}D`);
  if (does === "real time") service.clock.advance(number * 60_000);
  if (does === "register") await postWebhook(api, EVENT_KINDS[number % 3] ?? "");
  if (does === "scenario") await api.post("/sandbox/scenarios/", { name: "month_of_history" });
  if (does === "reset") await api.post("/sandbox/reset/");
  if (does === "reset clock") await api.post("/sandbox/clock/reset/");
  if (does === "pause") {
    const { rows } = await service.pool.query<{ id: number; is_active: boolean }>(
      "select id, is_active from webhook where seller_id = $1 order by id",
      [api.seller.seller_id],
    );
    const webhook = rows[number % Math.max(rows.length, 1)];
    if (webhook)
      await api.call({
        method: "PATCH",
        url: `/api/v1/webhooks/${webhook.id}/`,
        payload: { is_active: !webhook.is_active },
      });
  }
  if (id === undefined) return;
  if (does === "pay") await api.pay(id);
  if (does === "leave") await api.pay(id, "abandon");
  if (does === "cancel") await api.requestCancel(id);
  if (does === "resume") await api.requestResume(id);
  if (does === "reschedule") await api.requestReschedule(id, "2026-09-01");
}

const acts = fc.array(fc.record({ does: fc.constantFrom(...ACTS), number: fc.nat(1_000) }), {
  maxLength: 10,
});

describe("a saved sandbox state", () => {
  it("restores the account and leaves other accounts unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(acts, acts, async (before, since) => {
        service.clock.set("2026-03-10T06:00:00Z");
        const api = await SellerApi.open(service);
        const other = await SellerApi.open(service);
        await other.createActive();
        for (const one of before) await act(api, one);
        const [mine, theirs] = [await account(api), await account(other)];
        const { id } = await saveNamedState(api);
        expect(await account(api)).toEqual(mine);
        for (const one of since) await act(api, one);
        const later = await account(api);
        const { undo } = await restoreStateById(api, id);
        expect(await account(api)).toEqual(mine);
        expect(await account(other)).toEqual(theirs);
        await restoreStateById(api, undo);
        expect(await account(api)).toEqual(later);
        // The restored account accepts further changes.
        await restoreStateById(api, id);
        await api.createActive(api.periods.days, { phone: "9811111111" });
        expect((await api.list()).count).toBe((await numbers(api)).rows);
      }),
      { numRuns: 60 },
    );
  }, 240_000);

  const numbers = async ({ seller }: SellerApi) => {
    const { rows } = await service.pool.query<{ rows: number }>(
      "select count(*)::int as rows from subscription where seller_id = $1",
      [seller.seller_id],
    );
    return rows[0] ?? { rows: -1 };
  };

  it("restores only the seller's own rows, even if the saved rows were changed to another seller's", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const { id } = await saveNamedState(api);
    const nameOf = async ({ seller }: SellerApi) => {
      const { rows } = await service.pool.query<{ name: string }>(
        "select name from product where seller_id = $1 order by product_id",
        [seller.seller_id],
      );
      return rows.map(({ name }) => name);
    };
    const before = await nameOf(other);
    await service.pool.query(
      `update sandbox_state_part set rows = (
         select jsonb_agg(to_jsonb(p) || '{"name": "Taken over"}') from product p
          where p.seller_id = $2)
       where state_id = $1 and table_name = 'product'`,
      [id, other.seller.seller_id],
    );
    await api.post(`/sandbox/states/${id}/restore/`);
    expect(await nameOf(other)).toEqual(before);
  });

  it("is made automatically, with its reason, before every clock advance, scenario and reset", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    await saveNamedState(api, "  One buyer ");
    const moved = await advanceClockBy(api, "P3M");
    await api.post("/sandbox/clock/reset/");
    await api.post("/sandbox/scenarios/", { name: "some_due" });
    await api.post("/sandbox/reset/");
    const { results, most_saved } = await listStates(api);
    expect(most_saved).toBe(10);
    expect(results.map(({ kind, name, subscriptions }) => [kind, name, subscriptions])).toEqual(
      [
        ["before_reset", "", 6],
        ["before_scenario", "", 1],
        ["before_move", "", 1],
        ["before_move", "", 1],
        ["saved", "One buyer", 1],
      ],
    );
    expect(results[3]).toMatchObject({ id: moved.undo, clock_at: "2026-03-10T06:00:00.000Z" });
    expect(results[2]).toMatchObject({ clock_at: "2026-06-10T06:00:00.000Z" });
    await restoreStateById(api, moved.undo);
    expect(await api.list()).toMatchObject({ count: 1, active_subscriptions: 1 });
  });

  it("made automatically can be restored while it is one of the ten newest, and is deleted afterwards", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    const first = await advanceClockBy(api, "P1D");
    for (let move = 0; move < 9; move += 1) await advanceClockBy(api, "P1D");
    expect((await listStates(api)).results).toHaveLength(10);
    await restoreStateById(api, first.undo);
    const clock = (await api.call({ url: "/sandbox/clock/" })).json();
    expect(clock).toMatchObject({ now: "2026-03-10T06:00:00.000Z", is_ahead: false });
    const { results } = await listStates(api);
    expect(results).toHaveLength(10);
    expect(results.map(({ id }) => id)).not.toContain(first.undo);
  });

  it("is not saved if all saved states together would exceed the storage limit", async () => {
    const api = await SellerApi.open(service);
    const { id } = await saveNamedState(api, "Large");
    await service.pool.query("update sandbox_state set bytes = $1 where id = $2", [
      MAX_SAVED_BYTES,
      id,
    ]);
    const answer = await api.post("/sandbox/states/", { name: "One more" });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ detail: expect.stringContaining("space") });
    expect((await listStates(api)).results.map(({ name }) => name)).toEqual(["Large"]);
  });

  it("cannot be added to ten other saved states until one of the ten is deleted", async () => {
    const api = await SellerApi.open(service);
    const { id } = await saveNamedState(api);
    for (let more = 1; more < 10; more += 1) await saveNamedState(api, `State ${more}`);
    expect((await api.post("/sandbox/states/", { name: "Another" })).statusCode).toBe(400);
    expect((await api.post(`/sandbox/states/${id}/delete/`)).statusCode).toBe(200);
    expect((await api.post(`/sandbox/states/${id}/delete/`)).statusCode).toBe(404);
    expect((await api.post(`/sandbox/states/${id}/restore/`)).statusCode).toBe(404);
    await saveNamedState(api, "Another");
  });

  it.each(["", "x".repeat(81), "Sav\u0000ed", "\ud800"])(
    "cannot have the name %j",
    async (name) => {
      const api = await SellerApi.open(service);
      const answer = await api.post("/sandbox/states/", { name });
      expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ["name"]]);
    },
  );

  it("of another seller cannot be restored or deleted, and both requests answer 404", async () => {
    const [api, other] = [await SellerApi.open(service), await SellerApi.open(service)];
    const { id } = await saveNamedState(api);
    for (const verb of ["restore", "delete"])
      expect((await other.post(`/sandbox/states/${id}/${verb}/`)).statusCode).toBe(404);
    expect((await listStates(other)).results).toEqual([]);
    expect((await listStates(api)).results).toHaveLength(1);
  });

  it("from an older version of the service cannot be restored", async () => {
    const api = await SellerApi.open(service);
    const { id } = await saveNamedState(api);
    await service.pool.query("update sandbox_state set schema_name = 'older' where id = $1", [
      id,
    ]);
    expect((await listStates(api)).results).toMatchObject([{ is_restorable: false }]);
    expect((await api.post(`/sandbox/states/${id}/restore/`)).statusCode).toBe(400);
  });

  it("is restored only once if a request is repeated with the same Idempotency-Key", async () => {
    const api = await SellerApi.open(service);
    await api.createActive();
    const { id } = await saveNamedState(api);
    const again = { "idempotency-key": "once" };
    const first = await api.post(`/sandbox/states/${id}/restore/`, undefined, again);
    await api.createActive(api.periods.days);
    const second = await api.post(`/sandbox/states/${id}/restore/`, undefined, again);
    expect(second.body).toBe(first.body);
    expect(await api.list()).toMatchObject({ count: 2 });
  });
});

describe("concurrent changes of a sandbox account", () => {
  it("a clock advance and a restore run one after the other, or the advance answers 409", async () => {
    for (let round = 0; round < 10; round += 1) {
      const api = await SellerApi.open(service);
      for (let one = 0; one < 4; one += 1)
        await api.createActive(api.periods.weekly, { phone: `980000000${one}` });
      const before = await account(api);
      const { id } = await saveNamedState(api);
      const [moved, restored] = await Promise.all([
        api.post("/sandbox/clock/advance/", { by: "P2M" }),
        api.post(`/sandbox/states/${id}/restore/`),
      ]);
      expect(restored.statusCode).toBe(200);
      if (moved.statusCode === 409) expect(await account(api)).toEqual(before);
      else {
        expect(moved.statusCode).toBe(200);
        const { active_subscriptions: active, inactive_subscriptions: ended } =
          await api.list();
        expect([0, 4]).toContain(active);
        expect(Number(active) + Number(ended)).toBe(4);
      }
    }
  });

  it("two concurrent restores and a payment leave an account that can still be restored", async () => {
    const api = await SellerApi.open(service);
    const { subscription_id } = await api.create();
    const { id } = await saveNamedState(api);
    const before = await account(api);
    const answers = await Promise.all([
      api.post(`/sandbox/states/${id}/restore/`),
      api.post(`/sandbox/subscriptions/${subscription_id}/pay/`, { outcome: "approve" }),
      api.post(`/sandbox/states/${id}/restore/`),
    ]);
    for (const { statusCode } of answers) expect([200, 404, 409]).toContain(statusCode);
    await restoreStateById(api, id);
    expect(await account(api)).toEqual(before);
  });
});
