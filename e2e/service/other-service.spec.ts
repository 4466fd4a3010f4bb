import type { BrowserContextOptions, Page } from "@playwright/test";
import { startOtherService, type OtherService } from "#tools/testing/servers/other-service.ts";
import { startOwnProduct, type OwnProduct } from "../support/own-product.ts";
import { waitForFullPages, visibleField } from "../support/visible-text.ts";
import { expect, productSearch, signIn, test } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectNoViolations,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

/** The dashboard with a service that follows the specification but decides its gaps differently. */
let service: OtherService;
let product: OwnProduct;
let home: string;

test.beforeAll(async () => {
  service = await startOtherService();
  product = await startOwnProduct({
    BILLING_SANDBOX_API_URL: service.url,
    BILLING_SANDBOX_API_KEY: service.key,
  });
});

test.afterAll(async () => {
  await product.stop();
  await service.close();
});

test.beforeEach(async ({ page }) => {
  await signIn(page, product.url);
  home = page.url().replace(/\/subscriptions.*/, "");
});

const main = (page: Page) => page.getByRole("main");
const action = (page: Page, name: string) =>
  page.getByRole("group", { name: "Actions" }).getByRole("button", { name });

/** Expects a loaded page without internal wording and without an error message. */
async function expectInWords(page: Page) {
  await expect(main(page).locator("[aria-busy=true]")).toHaveCount(0);
  await expect(main(page)).not.toContainText(/undefined|NaN|Invalid|\[object|null|cannot read/);
  await expect(main(page).getByRole("alert")).toHaveCount(0);
}

async function openRecord(page: Page, name: string) {
  await page.goto(`${home}/subscriptions`);
  await page.getByRole("link", { name }).first().click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
  await expect(action(page, "Reschedule")).toBeVisible();
}

test("every page shows the records of another company's service, and names the features that the service lacks", async ({
  page,
}) => {
  const views: [path: string, words: RegExp[]][] = [
    ["", [/Due\s*1\s*Active\s*18/, /Asmita Active/]],
    ["/subscriptions", [/1–20 of 25/, /paused/i, /trialing/i, /9800000011/]],
    ["/subscriptions?page=2", [/21–25 of 25/, /Filler 14/]],
    ["/subscriptions?page=9", [/There is no page 9/]],
    ["/subscriptions?status=due", [/Dipak Due/, /1–1 of 1/, /All\s*25\s*Active\s*18/]],
    ["/products", [/NPR 1,200\.00 – NPR 99,999\.00/, /Bare/]],
    ["/products/11111111-2222-4333-8444-555555555555", [/every lifetime/, /zero_rated/]],
    ["/products/bare-product", [/No period is visible/]],
    ["/subscriptions/new", [/Product and plan/]],
    ["/customers", [/Asmita Active/, /9800000011/, /9800000003/]],
    ["/customers/41", [/Asmita Active/, /Sunrise Yoga/]],
    ["/settings/connection", [/Working/]],
    ["/settings/webhooks", [/does not list its webhooks/, /by its ID/]],
    ["/settings/webhooks/deliveries", [/does not show its deliveries/]],
    ["/sandbox", [/has no sandbox/]],
  ];
  for (const [path, words] of views) {
    await page.goto(`${home}${path}`);
    for (const word of words) await expect(main(page)).toContainText(word);
    await expectInWords(page);
  }
  await page.goto(`${home}/subscriptions/00000000-0000-4000-8000-000000000000`);
  await expect(main(page)).toContainText("Not found.");
  await page.goto(`${home}/customers/99`);
  await expect(main(page)).toContainText("No Customer matches the given query.");
});

test("the subscription page explains each status in a sentence, and says when Duebook does not know the status", async ({
  page,
}) => {
  // The dates are relative to the service's start, so the day may have changed since then.
  const kinds: [name: string, words: RegExp][] = [
    ["Asmita Active", /Runs until \d+ \w+ \d{4} \(in 1[12] days\)/],
    ["Dipak Due", /Overdue since .* \([23] days ago\)/],
    ["Ending Endo", /Ends on .* \(in [45] days\), and is usable until then/],
    ["Waiting Wangdi", /Waiting for the first payment/],
    ["Kiran Cancelled", /Cancelled\. The last period ended on [\s\S]*Next billing\s*None/],
    ["Puja Paused", /Duebook does not know this status/],
    ["9800000011", /Runs until .* \(in [23] days\)/],
  ];
  for (const [name, words] of kinds) {
    await openRecord(page, name);
    await expect(main(page)).toContainText(words);
    await expectInWords(page);
  }
});

test("a cancellation that ends at once is reported as immediate, and the service's refusal messages are shown", async ({
  page,
}) => {
  await openRecord(page, "Prem Prompt");
  await action(page, "Cancel").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Cancel subscription" }).click();
  await expect(main(page).getByRole("status").first()).toContainText("ended it immediately");

  await openRecord(page, "Ending Endo");
  await action(page, "Wants to stay").click();
  await expect(main(page).getByRole("alert")).toContainText("Nothing can be resumed here.");

  await openRecord(page, "Lifa Lifetime");
  await action(page, "Cancel").click();
  await dialog.getByRole("button", { name: "Cancel subscription" }).click();
  await expect(dialog.getByRole("alert")).toContainText("A single sale cannot end.");
});

test("a billing date is moved in the service's time zone, and the service's refusal of a late date is shown", async ({
  page,
}) => {
  await openRecord(page, "Tara Trialing");
  await action(page, "Reschedule").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "+1 month" }).click();
  const day = await dialog.getByLabel("New billing date").inputValue();
  await dialog.getByRole("button", { name: "Move the date" }).click();
  const [year, , date] = day.split("-");
  await expect(main(page).getByRole("status").first()).toContainText(
    new RegExp(`The next billing date is ${Number(date)} \\w+ ${year}`),
  );

  await action(page, "Reschedule").click();
  await dialog.getByLabel("New billing date").fill(`${Number(year) + 3}-01-31`);
  await dialog.getByRole("button", { name: "Move the date" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Not further than 300 days ahead.");
});

test("nested field errors are shown at their fields, and a created subscription gets a link built by the dashboard", async ({
  page,
}) => {
  await page.goto(`${home}/subscriptions/new`);
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  // An exact name is marked and chosen by Enter.
  for (const name of ["Gym 20", "gym 30"]) {
    await productSearch(page).fill(name);
    await expect(page.getByRole("option").first()).toHaveAttribute("data-active", "true");
    await page.keyboard.press("Enter");
    await expect(productSearch(page)).toHaveValue(new RegExp(`^${name}$`, "i"));
  }
  await productSearch(page).fill("yoga");
  await page.getByRole("option", { name: /^Sunrise Yoga/ }).click();
  await page.getByRole("radio", { name: /^Each moon/ }).check();
  await visibleField(page, "Phone").fill("9712345678");
  // The name is longer than our own service accepts: each service sets its own limit.
  await visibleField(page, "Full name").fill("सरस्वती Rai ".repeat(25));
  await visibleField(page, "Email").fill("saraswati@example.com");
  await visibleField(page, "Address", { exact: true }).fill("Patan");
  await visibleField(page, "Page after payment").fill("https://shop.example/");
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(visibleField(page, "Phone")).toHaveAccessibleDescription(
    /This operator is not served/,
  );
  await expect(main(page).getByRole("alert")).toContainText("None is set up.");
  await visibleField(page, "Phone").fill("9812345678");
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(page.getByRole("textbox", { name: "Checkout link" })).toHaveValue(
    /^https:\/\/checkout\.other\.example\/pay\/[0-9a-f-]{36}$/,
  );
  await expect(main(page)).toContainText("Created. Now send this link to the buyer");
  await expectInWords(page);
  // The answer does not say that a pending subscription was reused; the dashboard finds out.
  await page.goto(`${home}/subscriptions/new`);
  await expect(page.getByRole("button", { name: "Create and get the link" })).toBeEnabled();
  await productSearch(page).fill("yoga");
  await page.getByRole("option", { name: /^Sunrise Yoga/ }).click();
  await page.getByRole("radio", { name: /^Each moon/ }).check();
  await visibleField(page, "Phone").fill("9812345678");
  await visibleField(page, "Full name").fill("Saraswati Rai");
  await visibleField(page, "Email").fill("saraswati@example.com");
  await visibleField(page, "Address", { exact: true }).fill("Patan");
  await visibleField(page, "Page after payment").fill("https://shop.example/");
  await page.getByRole("button", { name: "Create and get the link" }).click();
  await expect(main(page)).toContainText("Existing unpaid subscription updated.");
  await expectInWords(page);
});

test("a webhook is changed by its id, and the page shows the webhook that the service returned", async ({
  page,
}) => {
  await page.goto(`${home}/settings/webhooks`);
  const save = page.getByRole("button", { name: "Change webhook" });
  const fill = async (id: string, address = "https://shop.example/moved") => {
    await visibleField(page, "ID", { exact: true }).fill(id);
    await visibleField(page, "Event").fill("invoice.created");
    await visibleField(page, "URL").fill(address);
    await visibleField(page, /^Send deliveries/).uncheck();
    await save.click();
  };
  await fill("8");
  await expect(main(page).getByRole("alert")).toContainText("no webhook with this ID");
  await fill("9", "https://shop.example/blocked");
  await expect(main(page).getByRole("alert")).toContainText("Blocked.");
  await fill("9");
  const answer = main(page)
    .getByRole("status")
    .filter({ hasText: "The service returned this webhook" });
  for (const words of ["invoice.created", "https://shop.example/moved", "Paused"])
    await expect(answer).toContainText(words);
});

/** The text of these pages in a browser with other settings. */
async function readIn(
  signedIn: Page,
  options: BrowserContextOptions,
  links: string[],
  look?: (page: Page, link: string) => Promise<void>,
) {
  const context = await signedIn.context().browser()?.newContext(options);
  if (!context) throw new Error("the browser is gone");
  await context.addCookies(await signedIn.context().cookies());
  const complaints: string[] = [];
  const page = await context.newPage();
  waitForFullPages(page);
  page.on(
    "console",
    (message) => message.type() === "error" && complaints.push(message.text()),
  );
  const texts: string[] = [];
  for (const link of links) {
    await page.goto(`${product.url}${link}`);
    await expectInWords(page);
    await look?.(page, link);
    // The age of the data changes with time.
    texts.push((await main(page).innerText()).replace(/^As of .*$/gm, "As of then."));
  }
  await context.close();
  expect(complaints).toEqual([]);
  return texts;
}

test("another time zone or an unsupported language of the browser does not change dates on pages", async ({
  page,
}) => {
  await openRecord(page, "Asmita Active");
  const record = new URL(page.url()).pathname;
  const links = [new URL(home).pathname, record.replace(/\/[^/]+$/, ""), record];
  const here = await readIn(page, {}, links);
  expect(here.at(-1)).toMatch(/Next billing\s+\d+ \w{3} \d{4}/);
  for (const [timezoneId, locale] of [
    ["America/Los_Angeles", "de-DE"],
    // This language has its own digits.
    ["Pacific/Kiritimati", "ar-EG"],
  ] as const)
    expect(await readIn(page, { timezoneId, locale }, links)).toEqual(here);
  const nepali = await readIn(
    page,
    { timezoneId: "Pacific/Kiritimati", locale: "ne-NP", viewport: PHONE_VIEWPORT },
    links,
    async (reader, link) => {
      await expectNoViolations(reader, link);
      await expectNoOverflow(reader, link);
    },
  );
  expect(nepali.at(-1)).toMatch(/अर्को बिलिङ\s+[०-९]{4} \S+ [०-९]+/);
});

test("the API key is sent to no host but the service's", async ({ page }) => {
  await page.goto(`${home}/subscriptions?page=2`);
  await expect(main(page)).toContainText("21–2");
  await expectInWords(page);
  expect(service.lured).toEqual([]);
  // A route that this service lacks is requested only once.
  const look = async () => {
    for (const path of ["", "/collection", "/sandbox", "/settings/webhooks/deliveries"]) {
      await page.goto(`${home}${path}`);
      await expectInWords(page);
    }
  };
  await look();
  service.asked.length = 0;
  await look();
  expect(service.asked.filter((request) => !request.includes(" /api/v1/"))).toEqual([]);
  expect(await page.content()).not.toContain(service.key);
  expect(product.output()).not.toContain(service.key);
});
