import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { createSubscription } from "../support/subscription-fixture.ts";
import { registerEndpoint } from "../support/receiver-fixture.ts";
import { inDashboardDatabase } from "../support/person.ts";
import { showNewPayments } from "../support/message-gateway.ts";
import { visibleField, visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, payAt, signIn, test } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const EVENT = "checkout.succeeded";

/** The receiver's URL for the page's seller, in test mode. */
async function receiverAddress(page: Page): Promise<string> {
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const [row] = await inDashboardDatabase(
    `select token from receiver r join seller s on s.id = r.seller_id
      where s.code = $1 and r.mode = 'test'`,
    [seller],
  );
  return `${duebookUrl()}/api/received/${String(row?.["token"])}`;
}

const card = (page: Page) => page.getByRole("region", { name: "Payment", exact: true });
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";

test("only a verified delivery confirms a payment; a returning buyer or a forged delivery does not", async ({
  page,
  request,
  buyer,
}) => {
  // The test waits for the refresh of an open page after one minute.
  test.slow();
  await signIn(page);
  const address = await receiverAddress(page);
  const [, seller = "", mode] = new URL(page.url()).pathname.split("/");
  await registerEndpoint(page, `${duebookUrl()}/${seller}/${mode}`);

  // The return page shows the seller's name.
  await page.goto(`${duebookUrl()}/settings/seller`);
  await page.getByRole("button", { name: "Use Duebook's own page" }).click();
  await expect(visibleField(page, "Page after payment")).toHaveValue(
    /\/returned\/[0-9a-f]{64}$/,
  );
  const own = await visibleField(page, "Page after payment").inputValue();
  await expectAccessible(page, "settings");

  await createSubscription(page, buyer, own);
  const record = page.url();
  const id = idOf(page);
  const link = await page.getByRole("textbox", { name: "Checkout link" }).inputValue();
  await expect(card(page)).toContainText("Waiting");

  // The buyer returns without a payment.
  const back = await page.context().newPage();
  await back.goto(`${own}?subscription_id=${idOf(page)}`);
  await expect(back.getByRole("heading", { name: "Thank you!" })).toBeVisible();
  await expect(back.getByText("Your payment is being confirmed.")).toBeVisible();
  await expect(back.locator("body")).not.toContainText(/paid/i);
  await expectAccessible(back, "returned");
  await back.setViewportSize(PHONE_VIEWPORT);
  await expectNoOverflow(back, "returned on a phone");
  await expect(card(page)).toContainText(
    /The buyer returned .* ago\. The payment is not confirmed yet\./,
  );

  // A forged delivery is refused and confirms nothing.
  const forged = { event: EVENT, subscription_id: idOf(page), old_status: "", new_status: "" };
  const headers = {
    "webhook-id": "made-up",
    "webhook-timestamp": String(Math.floor(Date.now() / 1_000)),
    "webhook-signature": `v1,${Buffer.alloc(32).toString("base64")}`,
  };
  expect((await request.post(address, { data: forged, headers })).status()).toBe(401);
  await page.reload();
  await expect(card(page)).toContainText(/The payment is not confirmed yet/);

  // An open list announces new payments and shows them on request, the first one at once.
  const list = await page.context().newPage();
  await list.goto(`${duebookUrl()}/${seller}/${mode}/payments`);
  await expect(list.locator("header [data-link=live]")).toBeAttached({ timeout: 40_000 });
  await payAt(request, link);
  await showNewPayments(list, list.locator(`a[href$="/subscriptions/${id}"]`));
  await list.close();
  // An open page refreshes by itself each minute.
  await expect(back.getByRole("heading", { name: "Paid" })).toBeVisible({ timeout: 100_000 });
  await expectAccessible(back, "returned after paying");
  await back.close();
  await expect(card(page).getByRole("status")).toContainText("Paid");
  await card(page).getByText("Payment details").click();
  await expect(card(page).getByText(/^Payment \d+, confirmed by a signed event/)).toBeVisible();
  await expect(card(page).getByRole("list", { name: "Payments" })).toContainText("fee");
  await expect(visibleText(page, "The buyer came back from the checkout")).toBeVisible();
  await expectAccessible(page, "record");

  await page.goto(`${duebookUrl()}/subscriptions`);
  await page.getByRole("navigation").getByRole("link", { name: "Payments" }).first().click();
  // Buyers of other tests have the same name.
  const row = page
    .getByRole("row")
    .filter({ has: page.locator(`a[href$="/subscriptions/${id}"]`) });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("NPR 3,150.00");
  await expect(row).toContainText("NPR 62.69");
  await expect(row).toContainText("NPR 3,087.31");
  await expectAccessible(page, "list");
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "list on a phone");
  await page.setViewportSize({ width: 1280, height: 720 });

  const search = visibleField(page, "Number, reference, amount, ID or product");
  await search.fill("no such thing");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(visibleText(page, "No payment matches")).toBeVisible();
  await page.getByRole("link", { name: "Show all payments" }).click();
  await expect(search).toHaveValue("");
  await search.fill("NPR 3,150");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(row).toHaveCount(1);

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
