import { describe, expect, it } from "vitest";
import { AccountDirectory, AccountProduct, AccountProfile } from "#contract/account.ts";
import { withAccountToken, type TestSeller } from "../testing/service.ts";
import { useTestService } from "../testing/use-service.ts";

const service = useTestService();
const url = "/account/v1/profile/";

const newAccount = async () => withAccountToken(service, await service.createSeller());
const patch = (account: TestSeller, payload: object) =>
  service.call(account, { method: "PATCH", url, payload });
const read = async (account: TestSeller) =>
  AccountProfile.parse((await service.call(account, { url })).json());

describe("the profile of an account", () => {
  it("is read and changed with the account token, and an API key reads the changes at once", async () => {
    const seller = await service.createSeller();
    const token = await withAccountToken(service, seller);
    const before = await read(token);
    expect(before).toMatchObject({
      name: seller.name,
      api_url: "http://billing.test",
      buyers_page: expect.stringMatching(/^http:\/\/billing\.test\/my\/[0-9a-f]{12}$/),
      grace_days: 7,
      return_url: null,
      credential: { kind: "account_token", scopes: [], expires_at: null },
    });
    const { version } = before;
    const return_url = "https://shop.example/thanks";
    const change = { version, grace_days: 0, time_zone: "+05:45", return_url };
    const changed = AccountProfile.parse((await patch(token, change)).json());
    expect(changed).toMatchObject({ grace_days: 0, time_zone: "+05:45", return_url });
    expect(changed.version).not.toBe(version);
    expect(await read(seller)).toMatchObject({
      grace_days: 0,
      credential: { kind: "api_key", scopes: ["read", "write"] },
    });
    const cleared = await patch(token, { version: changed.version, return_url: null });
    expect(cleared.json()).toMatchObject({ return_url: null, grace_days: 0 });
  });

  it("answers the later of two concurrent updates with a 409, and overwrites nothing", async () => {
    const token = await newAccount();
    const { version } = await read(token);
    const both = await Promise.all([
      patch(token, { version, grace_days: 1 }),
      patch(token, { version, grace_days: 2 }),
    ]);
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([
      200, 409,
    ]);
    const winner = both.find(({ statusCode }) => statusCode === 200);
    expect((await read(token)).grace_days).toBe(winner?.json().grace_days);
    expect(both.find(({ statusCode }) => statusCode === 409)?.json()).toEqual({
      detail:
        "The profile was changed in the meantime. Read it again; nothing was overwritten.",
    });
  });

  it("refuses an invalid value with the name of the field, and changes nothing", async () => {
    const token = await newAccount();
    const { version } = await read(token);
    for (const [field, value] of [
      ["name", " "],
      ["name", "a\nb"],
      ["time_zone", "Nepal/Pokhara"],
      ["time_zone", "\u221205:00"],
      ["grace_days", 91],
      ["grace_days", -1],
      ["grace_days", 1.5],
      ["api_usage_type", "all"],
      ["return_url", "javascript:alert(1)"],
      ["return_url", "https://user:secret@shop.example/"],
    ] as const) {
      const answer = await patch(token, { version, grace_days: 3, [field]: value });
      expect([field, value, answer.statusCode]).toEqual([field, value, 400]);
      expect(Object.keys(answer.json())).toEqual([field]);
    }
    expect((await patch(token, { grace_days: 3 })).json()).toEqual({
      version: ["This field is required."],
    });
    expect((await patch(token, { version, kyc_verified: true })).statusCode).toBe(400);
    expect((await read(token)).version).toBe(version);
  });

  it("sets the currency of new billing periods that name no currency", async () => {
    const account = await newAccount();
    const { version, currency } = await read(account);
    expect(currency).toBe("NPR");
    const change = (payload: object) => patch(account, { version, ...payload });
    expect(Object.keys((await change({ currency: "rupees" })).json())).toEqual(["currency"]);
    expect((await change({ currency: "INR" })).json()).toMatchObject({ currency: "INR" });
    const period = { interval_type: "month", interval_count: 1, label: "A", price: "10" };
    const added = await service.call(account, {
      method: "POST",
      url: "/account/v1/products/",
      payload: {
        name: "Milk",
        plans: [
          { plan_name: "Litre", billing_periods: [period, { ...period, currency: "USD" }] },
        ],
      },
    });
    const [plan] = AccountProduct.parse(added.json()).plan;
    expect(plan?.billing_periods.map((one) => one.currency)).toEqual(["INR", "USD"]);
  });
});

describe("the list of capabilities", () => {
  it("needs no API key, and tells which credential each operation requires", async () => {
    const answer = await service.call(null, { url: "/account/v1/" });
    const directory = AccountDirectory.parse(answer.json());
    expect(directory).toMatchObject({ mode: "test" });
    expect(directory.capabilities).toEqual(
      expect.arrayContaining(["profile", "verification", "keys"]),
    );
    expect(directory.operations).toContainEqual({
      method: "POST",
      path: "/account/v1/keys/{id}/roll/",
      capability: "keys",
      scope: null,
      account_token: true,
      installation_token: false,
      before_verification: false,
    });
  });
});
