import type { Locator, Page } from "@playwright/test";
import { SNIPPETS } from "#contract/generated/verify-snippets.ts";
import { answerWith, Endpoint } from "../../service/testing/endpoint.ts";
import { visibleText } from "../support/visible-text.ts";
import { duebookUrl, expect, signIn, test as base } from "../support/seller.ts";
import {
  expectNoOverflow,
  expectAccessible,
  PHONE_VIEWPORT,
} from "../support/accessibility.ts";

const NARROWEST = { width: 320, height: 800 };

const test = base.extend<{ endpoint: Endpoint }>({
  endpoint: async ({}, use) => {
    const endpoint = await Endpoint.listen();
    await use(endpoint);
    await endpoint.close();
  },
});

// Runs its tests in parallel, so that no worker is left with this file at the end of a run.
test.describe.configure({ mode: "parallel" });

type Verify = (secrets: string[], headers: Record<string, string>, body: string) => object;

/** Loads the code that the page offers to copy. */
async function loadSnippet(code: string): Promise<Verify> {
  const { verifyDelivery } = (await import(
    `data:text/javascript,${encodeURIComponent(code)}`
  )) as {
    verifyDelivery: Verify;
  };
  return verifyDelivery;
}

async function expectWithinWidths(page: Page) {
  for (const size of [NARROWEST, PHONE_VIEWPORT]) {
    await page.setViewportSize(size);
    await expectNoOverflow(page, `at ${size.width} px`);
  }
}

async function openWebhooks(page: Page) {
  await page.goto(`${duebookUrl()}/settings/webhooks`);
  await expect(page.getByRole("button", { name: "Add URL" })).toBeEnabled();
}

/** @returns the secrets that the dialog shows, by event */
async function register(page: Page, url: string, events: string[]) {
  await page.getByRole("button", { name: "Add URL" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a URL" });
  await dialog.getByLabel("URL").fill(url);
  for (const box of await dialog.getByRole("checkbox").all())
    await box.setChecked(events.includes((await box.getAttribute("value")) ?? ""));
  await dialog.getByRole("button", { name: "Register" }).click();
  const secrets: Record<string, string> = {};
  for (const event of events) secrets[event] = await readSecret(dialog, event);
  return { dialog, secrets };
}

async function readSecret(dialog: Locator, event: string): Promise<string> {
  const field = dialog.getByLabel(event, { exact: true });
  await expect(field).toHaveValue(/^whsec_/);
  return field.inputValue();
}

const card = (page: Page, url: string) => page.getByRole("region", { name: url, exact: true });
const switchOf = (page: Page, url: string, event: string) =>
  card(page, url).getByRole("switch", { name: event });

/** Sends an example event. Leaves the page at its delivery. */
async function sendExample(page: Page, url: string, event: string) {
  const row = card(page, url).getByRole("listitem").filter({ hasText: event });
  await row.locator("summary").click();
  await row.getByRole("button", { name: "Send example" }).click();
  await row.getByRole("link", { name: "See the delivery" }).click();
  await expect(page.getByRole("heading", { name: event })).toBeVisible();
}

const happened = (page: Page) => page.getByRole("status", { name: "What happened" });

test("a webhook endpoint is added, its secret shown once, and a delivery verified with the code snippet", async ({
  page,
  endpoint,
}) => {
  await signIn(page);
  await page.getByRole("link", { name: "Settings" }).first().click();
  await page.getByRole("link", { name: "Webhooks" }).click();
  await expect(page.getByRole("button", { name: "Add URL" })).toBeEnabled();
  const [first, second] = ["checkout.succeeded", "subscription.status_changed"];
  const { dialog, secrets } = await register(page, endpoint.url, [first, second]);
  await dialog.getByText("Verify a delivery with it").click();
  await expectAccessible(page, "secrets");
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(card(page, endpoint.url)).toContainText("2 of 6 events on");
  for (const content of [await page.content(), await (await page.reload())?.text()])
    for (const secret of Object.values(secrets)) expect(content).not.toContain(secret);

  await sendExample(page, endpoint.url, first);
  await expect(happened(page)).toContainText("Delivered.");
  const verifyDelivery = await loadSnippet(SNIPPETS[0].code);
  const [arrival] = endpoint.arrivals;
  const { headers = {}, body = "" } = arrival ?? {};
  expect(verifyDelivery([secrets[first] ?? ""], headers, body)).toMatchObject({
    event: first,
    reason: "example",
  });
  expect(() => verifyDelivery([secrets[second] ?? ""], headers, body)).toThrow("No signature");

  // A removed endpoint leaves the list, and has the same secrets when it is added again.
  await openWebhooks(page);
  await card(page, endpoint.url).getByRole("button", { name: "Remove" }).click();
  const removal = page.getByRole("dialog", { name: "Remove this URL?" });
  await expectAccessible(page, "removal");
  await removal.getByRole("button", { name: "Remove" }).click();
  await expect(card(page, endpoint.url)).toHaveCount(0);
  await removal.getByRole("button", { name: "Close" }).last().click();
  await page.getByRole("button", { name: "Add URL" }).click();
  const added = page.getByRole("dialog", { name: "Add a URL" });
  await added.getByLabel("URL").fill(endpoint.url);
  await added.getByRole("checkbox", { name: "checkout.failed" }).uncheck();
  await added.getByRole("button", { name: "Register" }).click();
  await expect(added.getByText("It was already registered.")).toHaveCount(2);
  await added.getByRole("button", { name: "Close" }).last().click();
  await expect(card(page, endpoint.url)).toContainText("2 of 6 events on");

  // A third event of the URL is switched on by its switch alone.
  await openWebhooks(page);
  await switchOf(page, endpoint.url, "checkout.failed").press("Space");
  const registered = page.getByRole("dialog", { name: "checkout.failed is registered" });
  await readSecret(registered, "checkout.failed");
  await registered.getByRole("button", { name: "Done" }).click();
  await expect(switchOf(page, endpoint.url, "checkout.failed")).toBeChecked();

  const row = card(page, endpoint.url).getByRole("listitem").filter({ hasText: first });
  await row.locator("summary").click();
  await row.getByRole("button", { name: "Rotate secret" }).click();
  const rotating = page.getByRole("dialog", { name: "Rotate the signing secret" });
  await expect(rotating).toContainText("For 24 hours");
  // The new secret is shown here only, so the dialog stays open until it has arrived.
  let release = () => {};
  const isAnswered = new Promise<void>((resolve) => (release = resolve));
  await page.route(page.url(), async (route) => {
    await isAnswered;
    await route.continue();
  });
  await rotating.getByRole("button", { name: "Rotate", exact: true }).click();
  await expect(rotating.getByRole("button", { name: "Close" })).toBeDisabled();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  release();
  const rotated = await readSecret(rotating, first);
  expect(rotated).not.toBe(secrets[first]);
  await page.unroute(page.url());
  await rotating.getByRole("button", { name: "Done" }).click();
  await row.getByRole("button", { name: "Send example" }).click();
  await expect.poll(() => endpoint.arrivals.length).toBe(2);
  const again = endpoint.arrivals[1] ?? { headers: {}, body: "" };
  for (const secret of [rotated, secrets[first] ?? ""])
    expect(verifyDelivery([secret], again.headers, again.body)).toMatchObject({ event: first });

  await page.setViewportSize(PHONE_VIEWPORT);
  await card(page, endpoint.url).getByRole("button", { name: "Pause all" }).click();
  await expect(card(page, endpoint.url)).toContainText("Paused");
  await expectAccessible(page, "addresses on a phone");
  await expectWithinWidths(page);
  await page.reload();
  await expect(card(page, endpoint.url)).toContainText("Nothing is sent to this URL.");
  const tabs = page.getByRole("navigation", { name: "Settings" });
  await expect(tabs.getByRole("link", { name: "Webhooks" })).toBeInViewport({ ratio: 0.99 });
});

test("a failed delivery is examined and resent, and deliveries missed by the endpoint are resent", async ({
  page,
  endpoint,
}) => {
  const event = "checkout.failed";
  await signIn(page);
  await openWebhooks(page);
  const { dialog } = await register(page, endpoint.url, [event]);
  await dialog.getByRole("button", { name: "Done" }).click();
  endpoint.answer = (response) => response.writeHead(503).end("<h1>Down</h1>");
  await sendExample(page, endpoint.url, event);
  await expect(happened(page)).toContainText("The endpoint failed (503).");
  const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("listitem");
  await expect(attempts.first()).toContainText("<h1>Down</h1>");
  await expect(attempts.first()).toContainText("webhook-signature");
  await expect(visibleText(page, "Retrying", { exact: true }).first()).toBeVisible();
  await expectAccessible(page, "a failed delivery");
  endpoint.answer = answerWith(204);
  await page.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(happened(page)).toContainText("Delivered.");

  // An endpoint that answers 410 is switched off, and its missed events can be resent.
  endpoint.answer = answerWith(410);
  await openWebhooks(page);
  await sendExample(page, endpoint.url, event);
  await expect(happened(page)).toContainText("We gave up after one attempt");
  await openWebhooks(page);
  await expect(switchOf(page, endpoint.url, event)).not.toBeChecked();
  await expect(card(page, endpoint.url)).toContainText("410");
  endpoint.answer = answerWith(204);
  await switchOf(page, endpoint.url, event).click();
  await expect(switchOf(page, endpoint.url, event)).toBeChecked();

  const row = card(page, endpoint.url).getByRole("listitem").filter({ hasText: event });
  await row.locator("summary").click();
  await row.getByRole("link", { name: "Deliveries" }).click();
  const rows = page.getByRole("table", { name: "Deliveries" }).getByRole("row");
  await expect(rows).toHaveCount(3);
  await page.getByRole("link", { name: "Retrying", exact: true }).click();
  await expect(page).toHaveURL(/state=retrying&webhook=\d+$/);
  await expect(visibleText(page, "No delivery matches")).toBeVisible();
  await page.getByRole("link", { name: "Failed", exact: true }).click();
  await expect(page).toHaveURL(/state=failed&webhook=\d+$/);
  await expect(rows).toHaveCount(2);
  await page.getByRole("button", { name: "Resend missed" }).click();
  const recovering = page.getByRole("dialog", { name: "Resend missed events" });
  await expect(recovering.getByLabel("URL")).toHaveValue(endpoint.url);
  await expectAccessible(page, "recover");
  await recovering.getByRole("button", { name: "Resend", exact: true }).click();
  await expect(recovering).toContainText("1 event is being resent.");
  await recovering.getByRole("button", { name: "Done" }).click();
  await expect(visibleText(page, "No delivery matches")).toBeVisible();
  await page.getByRole("link", { name: "Delivered", exact: true }).click();
  await expect(rows).toHaveCount(3);
  await expectAccessible(page, "deliveries");
  await expectWithinWidths(page);
  await expectAccessible(page, "deliveries on a phone");
  await rows.nth(1).getByRole("link").click();
  await expect(happened(page)).toContainText("Delivered.");
  await expectAccessible(page, "a delivery on a phone");
  await expectWithinWidths(page);
  await page.goto(page.url().replace(/\d+$/, "999999999"));
  await expect(visibleText(page, "Delivery not found")).toBeVisible();
});

test("several webhook endpoints are changed one after the other, and a failed one is reported and retried alone", async ({
  page,
  endpoint,
}) => {
  await signIn(page);
  await openWebhooks(page);
  const events = ["checkout.succeeded", "checkout.failed"];
  const { dialog } = await register(page, endpoint.url, events);
  await dialog.getByRole("button", { name: "Done" }).click();
  await card(page, endpoint.url).getByRole("button", { name: "Change URL" }).click();
  const changing = page.getByRole("dialog", { name: "Change the URL" });
  const address = changing.getByLabel("New URL");
  const change = changing.getByRole("button", { name: "Change", exact: true });
  await address.fill("https://user:pass@shop.example/");
  await change.click();
  await expect(address).toHaveAccessibleDescription(/password out/);
  await expectAccessible(page, "a change that is refused");

  // The second request never arrives, so its outcome is unknown.
  const url = `${endpoint.url}/moved`;
  let calls = 0;
  await page.route(page.url(), async (route) => {
    if (route.request().method() !== "POST") return route.continue();
    calls += 1;
    return calls === 2 ? route.abort() : route.continue();
  });
  await address.fill(url);
  await change.click();
  await expect(
    changing.getByText("We could not confirm whether this went through."),
  ).toHaveCount(1);
  await expect(changing.getByText(`Now at ${url}`)).toHaveCount(1);
  expect(calls).toBe(2);
  await changing.getByRole("button", { name: /^Try again/ }).click();
  await expect(changing.getByText(`Now at ${url}`)).toHaveCount(2);
  expect(calls).toBe(3);
  await changing.getByRole("button", { name: "Close" }).last().click();
  await expect(card(page, url)).toContainText("2 of 6 events on");
  await expect(card(page, endpoint.url)).toHaveCount(0);

  // Adding it again does not create a second one.
  await page.getByRole("button", { name: "Add URL" }).click();
  const adding = page.getByRole("dialog", { name: "Add a URL" });

  // Escape, pressed by mistake, does not lose the input.
  await adding.getByLabel("URL").fill(url);
  await page.keyboard.press("Escape");
  await expect(adding.getByRole("alert")).toContainText("You have unsaved changes.");
  await expect(adding.getByRole("button", { name: "Keep editing" })).toBeFocused();
  await expectAccessible(page, "words that are not sent");
  await page.keyboard.press("Escape");
  await expect(adding.getByRole("alert")).toHaveCount(0);
  await expect(adding.getByLabel("URL")).toBeFocused();
  await page.evaluate(() => window.history.pushState(null, "", "#later"));
  await adding.getByLabel("URL").press("End");
  await page.evaluate(() => window.history.back());
  await expect(adding.getByRole("alert")).toHaveCount(1);
  await adding.getByRole("button", { name: "Keep editing" }).click();

  await adding.getByLabel("URL").fill(`${url}/${"x".repeat(2_000)}`);
  await adding.getByRole("checkbox", { name: "status_changed" }).uncheck();
  await adding.getByRole("button", { name: "Register" }).click();
  await expect(adding.getByText("Use at most 2000 characters.")).toHaveCount(1);
  // An invalid URL is refused for all events, so it is sent once.
  await expect(adding.locator("li", { hasText: "Not sent" })).toHaveCount(1);
  await adding.getByRole("button", { name: "Back" }).click();
  await adding.getByLabel("URL").fill(url);
  await adding.getByRole("button", { name: "Register" }).click();
  await expect(adding.getByText("It was already registered.")).toHaveCount(2);
  await adding.getByRole("button", { name: "Close" }).last().click();
  await card(page, url).getByRole("button", { name: "Pause all" }).click();
  await expect(card(page, url)).toContainText("Paused");
});
