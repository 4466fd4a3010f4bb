import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ProductPage } from "#contract/products.ts";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { adminEnvironment, runAdmin } from "../testing/admin.ts";
import { startTestService, type TestService } from "../testing/service.ts";
import { COMMANDS } from "./run.ts";

let database: TestDatabase;
let service: TestService;
beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
});
afterAll(async () => {
  await service.close();
  await database.drop();
});

async function admin<Json>(words: string[], input?: unknown): Promise<Json> {
  const ran = await runAdmin(database.url, [...words, "--json"], input);
  expect(ran).toMatchObject({ code: 0, complaint: "" });
  return JSON.parse(ran.output) as Json;
}

const get = (key: string, url: string) =>
  service.app.inject({ url, headers: { authorization: `Bearer ${key}` } });

async function newSeller(...words: string[]) {
  const name = `Seller ${randomUUID()}`;
  await admin(["create-seller", "--name", name, ...words]);
  const { key } = await admin<{ key: string }>(["issue-key", "--seller", name]);
  return { name, key };
}

const MILK = {
  name: "Milk",
  vat: { is_vat_active: true, vat_type: "exclusive", vat_percentage: "13" },
  images: ["https://pictures.example/front.jpg", "https://pictures.example/back.jpg"],
  plans: [
    {
      plan_name: "One litre",
      billing_periods: [
        {
          interval_type: "month",
          interval_count: 1,
          label: "Monthly",
          price: "3150.00",
          offers: [
            {
              discount_amount: "150",
              starts_at: "2026-01-01",
              valid_until: "2026-02-01",
            },
          ],
        },
        { interval_type: "one_time", interval_count: 1, label: "Trial", price: "100" },
      ],
    },
  ],
};

describe("the command line", () => {
  test("reads the environment and standard input, and ends with an exit code", () => {
    const run = (words: string[], input: string) =>
      spawnSync(process.execPath, [join(import.meta.dirname, "..", "admin.ts"), ...words], {
        env: {
          ...process.env,
          ...adminEnvironment(database.url),
        },
        input,
        encoding: "utf8",
      });
    const made = run(["create-seller", "--name", "By process", "--json"], "");
    expect(made).toMatchObject({ status: 0, stderr: "" });
    const added = run(["add-product", "--seller", "By process"], JSON.stringify(MILK));
    expect(added).toMatchObject({ status: 0, stderr: "" });
    expect(added.stdout).toContain("Milk is added");
    expect(run(["frobnicate"], "")).toMatchObject({ status: 2, stdout: "" });
  });

  test("lists its commands, and each command's options", async () => {
    const overview = await runAdmin(database.url, ["--help"]);
    for (const { name } of COMMANDS) {
      expect(overview.output).toContain(name);
      const { code, output } = await runAdmin("", [name, "--help"]);
      expect({ code, firstLine: output.split("\n")[0] }).toEqual({
        code: 0,
        firstLine: `Usage: npm run -s service:admin -- ${name} [options]`,
      });
    }
  });

  test.each([
    [["frobnicate"], "there is no command 'frobnicate'"],
    [["create-seller"], "--name is missing"],
    [["create-seller", "--nmae", "x"], "Unknown option '--nmae'"],
    [["create-seller", "--name", "x", "--grace-days", "91"], "--grace-days: 0 to 90 days"],
    [
      ["create-seller", "--name", "x", "--time-zone", "Nepal/Pokhara"],
      "--time-zone: not a time",
    ],
    [["seed", "--subscriptions", "many"], "--subscriptions: write a whole number"],
  ])("reports the mistake in %j in one line, with exit code 2", async (words, complaint) => {
    const ran = await runAdmin(database.url, words);
    expect(ran).toMatchObject({ code: 2, output: "" });
    expect(ran.complaint).toContain(complaint);
    expect(ran.complaint.trim().split("\n")).toHaveLength(1);
  });

  test("names the address of a database that does not answer and exits with code 1", async () => {
    const nowhere = "postgresql://nobody@127.0.0.1:1/none";
    const ran = await runAdmin(nowhere, ["list-sellers"]);
    expect(ran).toMatchObject({ code: 1, output: "" });
    expect(ran.complaint).toContain("127.0.0.1:1");
  });
});

describe("sellers", () => {
  test("are created unverified, can be verified, and need a unique name", async () => {
    const { name, key } = await newSeller();
    expect((await get(key, "/api/v1/subscriptions/")).statusCode).toBe(403);
    await admin(["verify-seller", "--seller", name]);
    expect((await get(key, "/api/v1/subscriptions/")).statusCode).toBe(200);
    await admin(["verify-seller", "--seller", name, "--revoke"]);
    expect((await get(key, "/api/v1/subscriptions/")).statusCode).toBe(403);
    const again = await runAdmin(database.url, ["create-seller", "--name", name]);
    expect(again).toMatchObject({ code: 1 });
    expect(again.complaint).toContain("already");
  });

  test("have the API usage type payment unless the option --api-usage-type names another", async () => {
    const usage = (...words: string[]) =>
      admin(["create-seller", "--name", `Seller ${randomUUID()}`, ...words]);
    expect(await usage()).toMatchObject({ api_usage_type: "payment" });
    expect(await usage("--api-usage-type", "none")).toMatchObject({ api_usage_type: null });
  });

  test("keep the settings that a change does not name", async () => {
    const { name } = await newSeller("--verified", "--grace-days", "3");
    const settings = ["--api-usage-type", "reminder_and_payment", "--time-zone", "+05:45"];
    expect(await admin(["set-seller", "--seller", name, ...settings])).toMatchObject({
      api_usage_type: "reminder_and_payment",
      time_zone: "+05:45",
      grace_days: 3,
      kyc_verified: true,
    });
    const cleared = await admin(["set-seller", "--seller", name, "--api-usage-type", "none"]);
    expect(cleared).toMatchObject({ api_usage_type: null, time_zone: "+05:45" });
    const { sellers } = await admin<{ sellers: { name: string }[] }>(["list-sellers"]);
    expect(sellers.map((seller) => seller.name)).toContain(name);
    expect((await runAdmin(database.url, ["set-seller", "--seller", name])).code).toBe(2);
  });
});

describe("keys", () => {
  test("are listed without their secrets, and stop working as soon as they are revoked", async () => {
    const { name, key } = await newSeller("--verified");
    const listed = await runAdmin(database.url, ["list-keys", "--seller", name, "--json"]);
    expect(JSON.parse(listed.output)).toMatchObject({
      keys: [{ mode: "test", state: "active", last_four: key.slice(-4) }],
    });
    expect(listed.output).not.toContain(key.split("_").slice(3).join("_"));
    await admin(["revoke-key", "--key", key]);
    expect((await get(key, "/api/v1/products/")).statusCode).toBe(401);
    expect((await runAdmin(database.url, ["revoke-key", "--key", "nothing"])).code).toBe(1);
  });

  test("of live mode can be created in test mode, and do not work in test mode", async () => {
    const { name } = await newSeller("--verified");
    const { key } = await admin<{ key: string }>([
      "issue-key",
      "--seller",
      name,
      "--mode",
      "live",
    ]);
    expect(key).toMatch(/^dbk_live_/);
    expect((await get(key, "/api/v1/products/")).statusCode).toBe(401);
  });

  test("have the given scopes, and an unknown scope is refused with the list of valid scopes", async () => {
    const { name } = await newSeller("--verified");
    const issue = ["issue-key", "--seller", name, "--name", "Till", "--scopes"];
    const { key } = await admin<{ key: string }>([...issue, "write"]);
    expect((await get(key, "/api/v1/products/")).statusCode).toBe(403);
    const refused = await runAdmin(database.url, [...issue, "read,all"]);
    expect(refused.complaint).toContain("--scopes: use some of read,write,account");
  });

  test("of the account API (account tokens) are created, listed and revoked like API keys", async () => {
    const { name } = await newSeller("--verified");
    const made = await admin<{ token: string }>(["issue-account-token", "--seller", name]);
    expect(made.token).toMatch(/^dba_test_/);
    expect((await get(made.token, "/account/v1/keys/")).json()).toMatchObject({ count: 2 });
    const listed = await runAdmin(database.url, ["list-keys", "--seller", name]);
    expect(listed.output).toContain("account token");
    expect(listed.output).not.toContain(made.token.slice(-43));
    await admin(["revoke-key", "--key", made.token]);
    expect((await get(made.token, "/account/v1/keys/")).statusCode).toBe(401);
  });
});

describe("products", () => {
  const listed = async (key: string) =>
    ProductPage.parse((await get(key, "/api/v1/products/")).json());

  test("are added from standard input, edited from a file, and their billing periods can be archived", async () => {
    const { name, key } = await newSeller("--verified");
    await admin(["add-product", "--seller", name], MILK);
    const [product] = (await listed(key)).results;
    expect(product).toMatchObject({
      name: "Milk",
      total_subscribers: "0",
      vat: {
        is_vat_active: true,
        vat_type: "exclusive",
        vat_percentage: 13,
      },
      product_image: [{ image_order: 1 }, { image_order: 2 }],
    });
    const [plan] = product?.plan ?? [];
    const [monthly, trial] = plan?.billing_periods ?? [];
    expect(monthly).toMatchObject({ price: "3150.00", offers: [{ discount_amount: 150 }] });

    const change = {
      description: "Fresh every morning",
      images: [],
      plans: [
        {
          plan_id: plan?.plan_id,
          billing_periods: [
            {
              pbp_id: monthly?.pbp_id,
              price: "3300.00",
              offers: [],
            },
          ],
          new_billing_periods: [
            {
              interval_type: "year",
              interval_count: 1,
              label: "Yearly",
              price: "30000.00",
            },
          ],
        },
      ],
      new_plans: [
        {
          ...MILK.plans[0],
          plan_name: "Two litres",
        },
      ],
    };
    const folder = await mkdtemp(join(tmpdir(), "duebook-admin-"));
    const file = join(folder, "change.json");
    await writeFile(file, JSON.stringify(change));
    const id = product?.product_id ?? "";
    await admin(["edit-product", "--seller", name, "--product", id, "--file", file]);
    await rm(folder, { recursive: true });
    await admin(["archive-period", "--seller", name, "--period", trial?.pbp_id ?? ""]);

    const [edited] = (await listed(key)).results;
    expect(edited).toMatchObject({
      name: "Milk",
      description: "Fresh every morning",
      product_image: [],
      plan: [
        {
          plan_name: "One litre",
          billing_periods: [
            {
              label: "Monthly",
              price: "3300.00",
              offers: [],
            },
            {
              label: "Yearly",
              price: "30000.00",
            },
          ],
        },
        { plan_name: "Two litres" },
      ],
    });
  });

  test.each([
    [{ ...MILK, name: "" }, "name: may not be blank"],
    [{ ...MILK, colour: "white" }, 'Unrecognized key: "colour"'],
    [{ ...MILK, name: "Milk\u0000" }, "name: remove the characters"],
    [{ ...MILK, plans: [] }, "plans:"],
    ["not an object", "the input:"],
  ])(
    "with a mistake are refused, and the message names the field",
    async (input, complaint) => {
      const { name } = await newSeller();
      const ran = await runAdmin(database.url, ["add-product", "--seller", name], input);
      expect(ran).toMatchObject({ code: 1, output: "" });
      expect(ran.complaint).toContain(complaint);
    },
  );

  test("of another seller cannot be edited", async () => {
    const owner = await newSeller("--verified");
    const other = await newSeller("--verified");
    const { product_id } = await admin<{ product_id: string }>(
      ["add-product", "--seller", owner.name],
      MILK,
    );
    const words = ["edit-product", "--seller", other.name, "--product", product_id];
    const ran = await runAdmin(database.url, words, { name: "Taken over" });
    expect(ran).toMatchObject({ code: 1 });
    expect((await listed(owner.key)).results[0]?.name).toBe("Milk");
  });
});
