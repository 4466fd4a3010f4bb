import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { ROOT } from "../scripts/settings.ts";
import { createSubscription } from "./made-subscription.ts";
import { noteSecret } from "./made-secrets.ts";
import { inDashboardDatabase } from "./person.ts";
import { product } from "./product.ts";
import { seenField, seenText } from "./seen.ts";
import { duebookUrl, expect, payAt, signIn, test } from "./seller.ts";
import { expectNoOverflow, expectWithinReach, PHONE } from "./within-reach.ts";

const EVENT = "checkout.succeeded";

/** Of the seller that the page is at, in test mode. */
async function receiverAddress(page: Page): Promise<string> {
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const [row] = await inDashboardDatabase(
    `select token from receiver r join seller s on s.id = r.seller_id
      where s.code = $1 and r.mode = 'test'`,
    [seller],
  );
  return `${duebookUrl()}/api/received/${String(row?.["token"])}`;
}

/** As the dashboard seals what the service hands out once. */
async function keepSecret(address: string, secret: string) {
  noteSecret(secret);
  const token = address.split("/").at(-1);
  const [owner] = await inDashboardDatabase("select seller_id from receiver where token = $1", [
    token,
  ]);
  const secrets = JSON.parse(
    await readFile(join(product().dataDirectory, "secrets.json"), "utf8"),
  ) as Record<string, string>;
  const script = `
    import { keyIdOf, sealApiKey } from "#lib/billing/api-key.ts";
    const { key, secret, seller_id } = JSON.parse(process.env.SEAL);
    const owner = { seller_id, mode: "test", purpose: "receiver" };
    const bytes = Buffer.from(key, "base64");
    console.log(JSON.stringify([keyIdOf(bytes), sealApiKey(secret, owner, bytes).toString("hex")]));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=react-server", "--input-type=module", "-e", script],
    {
      cwd: ROOT,
      encoding: "utf8",
      env: {
        ...process.env,
        SEAL: JSON.stringify({
          key: secrets["API_KEY_ENCRYPTION_KEY"],
          secret,
          seller_id: owner?.["seller_id"],
        }),
      },
    },
  );
  if (!stdout) throw new Error(stderr);
  const [key_id, sealed] = JSON.parse(stdout) as [string, string];
  await inDashboardDatabase(
    `insert into receiver_secret (seller_id, mode, sealed_secret, key_id)
     values ($1, 'test', decode($2, 'hex'), $3)`,
    [owner?.["seller_id"], sealed, key_id],
  );
}

async function register(page: Page, address: string): Promise<string> {
  await page.goto(`${duebookUrl()}/settings/webhooks`);
  await page.getByRole("button", { name: "Add address" }).click();
  const dialog = page.getByRole("dialog", { name: "Add an address" });
  await dialog.getByLabel("Address").fill(address);
  for (const box of await dialog.getByRole("checkbox").all())
    await box.setChecked((await box.getAttribute("value")) === EVENT);
  await dialog.getByRole("button", { name: "Register" }).click();
  const shown = dialog.getByLabel(EVENT, { exact: true });
  await expect(shown).toHaveValue(/^whsec_/);
  const secret = await shown.inputValue();
  await dialog.getByRole("button", { name: "Done" }).click();
  return secret;
}

const card = (page: Page) => page.getByRole("region", { name: "Payment", exact: true });
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

test("a payment is proven by a verified delivery, and neither by a buyer who comes back nor by a forged one", async ({
  page,
  request,
  buyer,
}) => {
  await signIn(page);
  const address = await receiverAddress(page);
  await keepSecret(address, await register(page, address));

  // The page that buyers come back to is taken for the seller's own.
  await page.goto(`${duebookUrl()}/settings/seller`);
  await page.getByRole("button", { name: "Use Duebook's own page" }).click();
  const own = await seenField(page, "Return address").inputValue();
  expect(own).toMatch(/\/returned\/[0-9a-f]{64}$/);
  await expectWithinReach(page, "settings");

  await createSubscription(page, buyer, own);
  const record = page.url();
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
  await expect(card(page)).toContainText("Not proven");

  // Back without having paid.
  const back = await page.context().newPage();
  await back.goto(`${own}?subscription_id=${idOf(page)}`);
  await expect(back.getByRole("heading", { name: "Thank you!" })).toBeVisible();
  await expect(back.getByText("Your payment is being confirmed.")).toBeVisible();
  await expect(back.locator("body")).not.toContainText(/paid/i);
  await expectWithinReach(back, "returned");
  await back.setViewportSize(PHONE);
  await expectNoOverflow(back, "returned on a phone");
  await back.close();
  await expect(card(page)).toContainText(/Buyer came back .* ago, no proof yet\./);

  // Forged: it is refused, and proves nothing.
  const forged = { event: EVENT, subscription_id: idOf(page), old_status: "", new_status: "" };
  const headers = {
    "webhook-id": "made-up",
    "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
  };
  expect((await request.post(address, { data: forged, headers })).status()).toBe(401);
  await page.reload();
  await expect(card(page)).toContainText(/no proof yet/);

  await payAt(request, link);
  await expect(card(page)).toContainText(/Paid: proof \d+/);
  await expect(card(page)).toContainText("fee");
  await expectWithinReach(page, "record");

  await page.goto(`${duebookUrl()}/subscriptions`);
  await page.getByRole("navigation").getByRole("link", { name: "Payments" }).first().click();
  const row = page.getByRole("row").filter({ hasText: buyer.full_name });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("NPR 3,150.00");
  await expect(row).toContainText("NPR 62.69");
  await expect(row).toContainText("NPR 3,087.31");
  await expectWithinReach(page, "list");
  await page.setViewportSize(PHONE);
  await expectWithinReach(page, "list on a phone");
  await page.setViewportSize({ width: 1280, height: 720 });

  await seenField(page, "Number, id or product").fill("no such thing");
  await page.getByRole("button", { name: "Show" }).click();
  await expect(seenText(page, "No payment matches")).toBeVisible();
  await page.getByRole("link", { name: "Show all payments" }).click();

  for (const [name, type] of [
    ["CSV", "csv"],
    ["Excel", "xlsx"],
  ] as const) {
    const download = page.waitForEvent("download");
    await page.getByRole("link", { name }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(
      new RegExp(`^duebook-payments-test-.*\\.${type}$`),
    );
    const content = await readFile(await file.path(), "utf8");
    if (type === "csv") expect(content).toContain("3150.00,NPR,62.69,3087.31");
    else expect(content.slice(0, 2)).toBe("PK");
  }
  await row.getByRole("link", { name: buyer.full_name }).click();
  await expect(page).toHaveURL(record.replace(/\?.*$/, ""));
});
