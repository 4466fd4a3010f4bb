import type { Page } from "@playwright/test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "../support/command.ts";
import { visibleText } from "../support/visible-text.ts";
import { type PageWeight, weighActs, weighPage } from "../support/page-weight.ts";
import { DEMO_ACCOUNT, expect, signIn, test } from "../support/seller.ts";

// This test starts the whole product.
test.describe.configure({ timeout: 300_000 });

/** Text that each page of the demonstration shows, and the text of its empty state. */
const PAGES: [path: string, stands: RegExp, empty: RegExp][] = [
  ["", /^Due now$/, /Get ready to take payments/],
  ["/collection", /^Missed the promise of/, /Nothing to collect/],
  [
    "/reports/reminders",
    /^Paid within 3 days of the reminder$/,
    /(No one was reminded|No promises in this period)/,
  ],
  ["/subscriptions/bulk", /^Cancel \d+ subscriptions$/, /No bulk changes yet/],
  ["/subscriptions/views", /^Ending soon$/, /No view is saved yet/],
  ["/customers", /^1–20 of 150$/, /No customers yet/],
  ["/products", /^Ghar Fibre Internet$/, /No products yet/],
  ["/payments", /^Payment [0-9A-F]/, /No payments yet/],
  ["/reports?days=365", /^Retention by start month$/, /Not known|No data yet/],
  ["/notifications", / paid\.$/, /No notifications yet/],
  ["/settings/webhooks", /^https:\/\/shop\.phewa\.example\/duebook$/, /No URL is/],
  ["/settings/webhooks/deliveries", /^Delivered$/, /No deliveries yet/],
  ["/settings/webhooks/deliveries/received", /^Verified$/, /No events yet/],
  ["/settings/audit-log", /^Reminded the buyer/, /No activity yet/],
];

/** The most that a first visit of a page may cost; see weighPage. The rows differ by the day of the run. */
const BUDGETS: [path: string, html: number, scripts: number, all: number, requests: number][] =
  [
    ["", 67, 171, 224, 17],
    ["/subscriptions", 64, 183, 238, 19],
    ["/collection", 85, 185, 241, 19],
    ["/customers", 49, 172, 219, 17],
    ["/products", 57, 172, 227, 23],
    ["/payments", 79, 165, 215, 17],
    ["/reports", 85, 269, 321, 19],
    ["/settings/audit-log", 85, 167, 217, 18],
    ["/subscriptions/new", 49, 223, 273, 22],
  ];

/** Filters the list, turns its page, and opens two records and goes back. */
async function readList(page: Page) {
  await page.getByRole("link", { name: /^Active/ }).click();
  await expect(visibleText(page, /^1–20 of/)).toBeVisible();
  await page.getByRole("link", { name: "Next", exact: true }).click();
  await expect(visibleText(page, /^21–40 of/)).toBeVisible();
  for (const row of [0, 1]) {
    await page.locator("main a[data-row-link]").nth(row).click();
    await expect(page.getByRole("button", { name: "Record a payment" })).toBeVisible();
    await page.goBack();
    await expect(visibleText(page, /^21–40 of/)).toBeVisible();
  }
}

/** The measures that are over the budget. */
const excessOf = (weight: PageWeight, budget: Partial<PageWeight>) =>
  Object.entries(budget).flatMap(([measure, most]) => {
    const found = weight[measure as keyof PageWeight];
    return found > most ? [`${measure}: ${found.toFixed(1)} of ${most}`] : [];
  });

test("the demonstration shows a year of data on every page, and its pages stay within their size budgets", async ({
  page,
  browser,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-demonstration-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const up = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(folder, ".data"),
    DEMONSTRATION: "on",
  });
  try {
    await up.printed("Duebook is ready.");
    await signIn(page, `http://localhost:${port}`, DEMO_ACCOUNT.password);
    const desk = page.url().replace(/\/subscriptions$/, "");
    for (const [path, stands, empty] of PAGES)
      await test.step(path || "overview", async () => {
        await page.goto(`${desk}${path}`);
        // The search index is filled in the first minute.
        await expect(visibleText(page, stands).first()).toBeVisible({ timeout: 60_000 });
        await expect(visibleText(page, empty)).toHaveCount(0);
      });

    await page.goto(`${desk}/subscriptions?status=active`);
    await page.getByRole("row").nth(1).getByRole("link").first().click();
    const paid = /^(First payment|Renewed: paid)/;
    await expect(visibleText(page, paid).first()).toBeVisible();
    const state = await page.context().storageState();
    await page.goto("about:blank");
    for (const [path, html, scripts, all, requests] of BUDGETS)
      await test.step(`size of ${path || "the overview"}`, async () => {
        const budget = { html, scripts, all, requests };
        let excess = ["not weighed"];
        // A page whose reads take long sends its placeholder too, so a page may need up to three loads.
        for (let load = 0; load < 3 && excess.length > 0; load += 1)
          excess = excessOf(await weighPage(browser, state, `${desk}${path}`), budget);
        expect.soft(excess, path).toEqual([]);
      });
    await test.step("size of the requests while a list is read", async () => {
      let excess = ["not weighed"];
      // The live connection begins meanwhile and may refresh the list, more often on a slow machine.
      for (let round = 0; round < 3 && excess.length > 0; round += 1)
        excess = excessOf(await weighActs(browser, state, `${desk}/subscriptions`, readList), {
          all: 57,
          requests: 25,
        });
      expect(excess).toEqual([]);
    });
  } finally {
    expect(await up.stop()).toBe(0);
    await rm(folder, { recursive: true, force: true });
  }
});
