import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fillPathParameters, listEntryPoints } from "../support/entry-points.ts";
import { cookiesOf, sendRequest, bodyTextOf } from "../support/intruder.ts";
import { findSecrets, recordSecret } from "../support/secret-search.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { productOfWorker } from "../support/product.ts";
import { expect, signIn, test } from "../support/seller.ts";

const SECRET =
  /db[ka]_(?:test|live)_\w{8}|whsec_[\w+/=-]{8}|\$argon2|password_hash|sealed_key|token_hash/;

test("no page, page data or API response contains a secret", async ({ page, context }) => {
  await signIn(page);
  const cookie = await cookiesOf(context);
  const seller = new URL(page.url()).pathname.split("/")[1] ?? "";
  const row = page.getByRole("table").getByRole("cell").getByRole("link").first();
  const id = (await row.getAttribute("href"))?.split("/").at(-1) ?? "";
  const folder = productOfWorker().dataDirectory;
  const server = Object.values(
    JSON.parse(await readFile(join(folder, "secrets.json"), "utf8")) as Record<string, string>,
  );
  const values = { seller, mode: "test", id, token: "none", nextauth: "csrf" };
  const shown: string[] = [];
  for (const entryPoint of listEntryPoints().filter(({ kind }) => kind !== "action"))
    for (const headers of [{}, { rsc: "1" }, { rsc: "1", "next-router-prefetch": "1" }]) {
      const path = fillPathParameters(entryPoint.path, values);
      const response = await sendRequest(path, { cookie, headers });
      const text = await bodyTextOf(response);
      if (response.status === 200) shown.push(entryPoint.name);
      expect([path, SECRET.exec(text)?.[0] ?? null]).toEqual([path, null]);
      expect(server.filter((secret) => text.includes(secret))).toEqual([]);
    }
  expect(shown.length).toBeGreaterThan(20);
});

test("the search for secrets in databases and logs finds a secret stored in clear text", async () => {
  const secret = `planted ${randomUUID()}`;
  const mark = randomUUID();
  await inDashboardDatabase(
    "insert into seller (name, time_zone) values ($1, $2) returning id",
    [secret, mark],
  );
  recordSecret(secret);
  const folder = productOfWorker().dataDirectory;
  const found = await findSecrets(folder, `whsec_${"A".repeat(32)}`);
  await inDashboardDatabase("delete from seller where time_zone = $1", [mark]);
  expect(found).toEqual([
    "the programs' output: a webhook's secret",
    `dashboard, public.seller: a secret of ${secret.length} characters`,
  ]);
});
