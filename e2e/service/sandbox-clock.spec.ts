import type { APIRequestContext, Page } from "@playwright/test";
import { openOwnSeller } from "../support/own-seller.ts";
import { pressKeys, tabTo } from "../support/keyboard.ts";
import { visibleText } from "../support/visible-text.ts";
import { billingUrl, expect, test } from "../support/seller.ts";
import { expectAccessible, PHONE_VIEWPORT } from "../support/accessibility.ts";

const callService = (request: APIRequestContext, key: string, path: string, data: object) =>
  request.post(`${billingUrl()}${path}`, {
    headers: { authorization: `Bearer ${key}` },
    data,
  });

async function begin(page: Page, request: APIRequestContext, scenario = "some_due") {
  const own = await openOwnSeller(page, "/sandbox");
  await callService(request, own.key, "/sandbox/scenarios/", { name: scenario });
  await page.reload();
  await expect(page.getByRole("heading", { name: "Clock", exact: true })).toBeVisible();
  return own;
}

const happened = (page: Page) =>
  page.getByRole("list", { name: "What happened" }).getByRole("listitem");
const forecast = (page: Page) =>
  page.getByRole("list", { name: "What will happen" }).getByRole("listitem");
const jump = (page: Page) => page.getByRole("button", { name: /^Jump to the next event/ });
const states = (page: Page) => page.getByRole("region", { name: "Saved states" });

test("by keyboard alone a sandbox state is saved and the clock moved, and both are undone", async ({
  page,
  request,
}) => {
  const { home, key } = await begin(page, request);
  await callService(request, key, "/api/v1/webhooks/", {
    event: "subscription.status_changed",
    endpoint_url: "http://127.0.0.1:9/till",
  });
  await page.reload();
  const name = states(page).getByLabel("Name");
  await tabTo(page, name);
  await page.keyboard.type("Before the fair");
  await pressKeys(page, "Enter");
  const saved = states(page).getByRole("list", { name: "Saved states" }).getByRole("listitem");
  await expect(saved).toHaveCount(1);
  await expect(saved).toContainText("6 subscriptions");
  await expect(name).toHaveValue("");

  const month = page
    .getByRole("group", { name: "Move the clock" })
    .getByRole("button", { name: "+1 month" });
  await page.keyboard.press("Shift+Tab");
  await page.locator("#content").focus();
  await tabTo(page, month);
  await pressKeys(page, "Enter");
  await expect(forecast(page).first()).toContainText("127.0.0.1:9/till");
  await expect(visibleText(page, "The forecast does not include payments")).toBeVisible();
  const all = await forecast(page).count();
  await expectAccessible(page, "a forecast of a month");

  const move = page.getByRole("button", { name: "Move the clock", exact: true });
  await tabTo(page, move);
  await pressKeys(page, "Enter");
  await expect(happened(page)).toHaveCount(all);
  await expect(page.getByRole("region", { name: "Mode" })).toContainText("sandbox time");
  const undo = page.getByRole("button", { name: "Undo this move" });
  await tabTo(page, undo);
  await pressKeys(page, "Enter");
  await expect(visibleText(page, "The sandbox was restored.").first()).toBeVisible();
  await expect(happened(page)).toHaveCount(0);
  await expect(visibleText(page, "days ahead")).toHaveCount(0);

  await page.locator("#content").focus();
  await tabTo(page, jump(page));
  await pressKeys(page, "Enter");
  await expect(happened(page)).toHaveCount(3);
  const back = states(page).getByRole("button", { name: "Restore Before the fair" });
  await tabTo(page, back);
  await pressKeys(page, "Enter");
  const asked = page.getByRole("dialog", { name: "Restore “Before the fair”?" });
  await expect(asked).toContainText("Deliveries that were sent stay sent");
  await expectAccessible(page, "a restore");
  await tabTo(page, asked.getByRole("button", { name: "Restore", exact: true }));
  await pressKeys(page, "Enter");
  await expect(asked).toHaveCount(0);
  await page.goto(`${home}/subscriptions?status=due`);
  await expect(page.getByRole("row")).toHaveCount(4);
});

test("a toast's undo reverts a loaded scenario, and a saved state can be deleted", async ({
  page,
  request,
}) => {
  const { name: sellerName } = await begin(page, request);
  await page.getByRole("button", { name: "Load Last day of grace" }).click();
  const beginning = page.getByRole("dialog");
  await beginning.getByLabel("to confirm").fill(sellerName);
  await beginning.getByRole("button", { name: "Load the scenario" }).click();
  await expect(visibleText(page, "“Last day of grace” is loaded").first()).toBeVisible();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await expect(
    visibleText(page, "Undone: the sandbox is back in its earlier state.").first(),
  ).toBeVisible();
  await expect(jump(page)).toHaveAccessibleName(/3 become inactive/);

  await states(page).getByText("saved automatically").click();
  const kept = states(page).getByRole("list", { name: "Saved automatically" });
  await expect(kept).toContainText("Before a scenario");
  // One state from before each of the two scenarios, and one from before the undo.
  await expect(kept.getByRole("listitem")).toHaveCount(3);
  await kept.getByRole("button", { name: "Delete Before a scenario" }).first().click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete the state" }).click();
  await expect(kept.getByRole("listitem")).toHaveCount(2);
  await page.setViewportSize(PHONE_VIEWPORT);
  await expectAccessible(page, "the sandbox clock on a phone");
});
