import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "#tools/testing/database.ts";
import { ISSUED_KEY_HEADER, type AccountKey } from "#contract/account.ts";
import { ServiceProgram } from "../testing/processes.ts";
import {
  startTestService,
  withAccountToken,
  type TestSeller,
  type TestService,
} from "../testing/service.ts";

let database: TestDatabase;
let service: TestService;
let seller: TestSeller;
let programs: ServiceProgram[];

beforeAll(async () => {
  database = await createTestDatabase("service");
  service = await startTestService(database.url);
  seller = await withAccountToken(service, await service.createSeller());
  programs = ["one", "two"].map(() => new ServiceProgram("service", database.url));
  await Promise.all(programs.map(({ ready }) => ready));
});
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end()));
  await service.close();
  await database.drop();
});

/** A request to one of the processes, with the account token. */
async function account(program: number, method: string, path: string, body: object = {}) {
  const answer = await fetch(`${programs[program]?.url}/account/v1/keys/${path}`, {
    method,
    headers: { authorization: `Bearer ${seller.key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  expect([path, answer.status]).toEqual([path, expect.toSatisfy((status) => status < 300)]);
  const { id } = (await answer.json()) as AccountKey;
  return { id, text: answer.headers.get(ISSUED_KEY_HEADER) ?? "" };
}

const makeKey = () => account(0, "POST", "", { name: "Shop", scopes: ["read", "write"] });

/** What each process answers to a read with the key. */
const reads = ({ text }: { text: string }) =>
  Promise.all(
    programs.map(async ({ url }) => {
      const headers = { authorization: `Bearer ${text}` };
      return (await fetch(`${url}/api/v1/customers/`, { headers })).status;
    }),
  );

const endNow = ({ id }: { id: number }) =>
  service.pool.query("update api_key set expires_at = now() where key_id = $1", [id]);

test("a new scope, an expiry, a replacement and a revocation of a key take effect at the next request in every process", async () => {
  const [scoped, expiring, rolled, leaked, revoked] = [
    await makeKey(),
    await makeKey(),
    await makeKey(),
    await makeKey(),
    await makeKey(),
  ];
  for (const key of [scoped, expiring, rolled, leaked, revoked])
    expect(await reads(key)).toEqual([200, 200]);

  await account(1, "PATCH", `${scoped.id}/`, { scopes: ["write"] });
  expect(await reads(scoped)).toEqual([403, 403]);

  await endNow(expiring);
  expect(await reads(expiring)).toEqual([401, 401]);

  const fresh = await account(1, "POST", `${rolled.id}/roll/`, { overlap_hours: 1 });
  expect([await reads(rolled), await reads(fresh)]).toEqual([
    [200, 200],
    [200, 200],
  ]);
  await endNow(rolled);
  expect([await reads(rolled), await reads(fresh)]).toEqual([
    [401, 401],
    [200, 200],
  ]);

  const replaced = await account(0, "POST", `${leaked.id}/roll/`, { overlap_hours: 0 });
  expect([await reads(leaked), await reads(replaced)]).toEqual([
    [401, 401],
    [200, 200],
  ]);

  await account(1, "POST", `${revoked.id}/revoke/`);
  expect(await reads(revoked)).toEqual([401, 401]);
});
