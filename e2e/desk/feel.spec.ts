import type { Page } from "@playwright/test";
import { duebookUrl, expect, signIn, test } from "../support/seller.ts";
import { PHONE_VIEWPORT } from "../support/accessibility.ts";
import { waitForIndex } from "../support/wait-for-index.ts";

const WIDE = { width: 1440, height: 900 };

interface Shift {
  value: number;
  /** The first element that moved, as its tag and text. */
  what: string;
}

/** Layout shifts since the first paint of each document, including those right after input. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as unknown as {
          value: number;
          sources: { node: Node | null }[];
        };
        const element = sources[0]?.node?.parentElement;
        shifts.push({
          value,
          what: `${element?.tagName} ${element?.textContent.slice(0, 60)}`,
        });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

async function expectNoShift(page: Page, where: string) {
  await page.waitForLoadState("networkidle");
  const shifts = await page.evaluate(
    () => (globalThis as unknown as { shifts: Shift[] }).shifts,
  );
  expect([where, shifts]).toEqual([where, []]);
}

const heading = (page: Page, name: string | RegExp) =>
  page.getByRole("heading", { name, level: 1 });

for (const [name, size] of Object.entries({ wide: WIDE, phone: PHONE_VIEWPORT }))
  test(`the layout does not shift while pages load and change (${name})`, async ({ page }) => {
    await page.setViewportSize(size);
    await watchShifts(page);
    await signIn(page);
    // Until the index is filled, amounts can change after they are shown.
    await waitForIndex(page, "litre");
    await page.reload();
    await expectNoShift(page, "the list, loaded");
    // Waits for the whole page, because a slow CPU would first paint a part of it, which no user of
    // a fast one sees.
    const whole = page.locator('head link[rel="expect"][blocking="render"]');
    await expect(whole).toHaveAttribute("href", "#page-end");
    await expect(page.locator("#page-end")).toBeAttached();
    const list = page.url();

    const main = page.getByRole("navigation", { name: "Main" });
    await main.getByText("Overview").click();
    await expect(heading(page, "Overview")).toBeVisible();
    await expectNoShift(page, "the overview, from the list");
    await page.reload();
    await expectNoShift(page, "the overview, loaded");

    await main.getByText("Subscriptions").click();
    await expect(heading(page, "Subscriptions")).toBeVisible();
    // Due subscriptions have the most details that load after their row.
    await page.goto(`${list}?status=due`);
    const first = page.getByRole("main").locator("a[data-row-link]");
    await first.first().click();
    await expect(page.getByRole("group", { name: "Actions" })).toBeVisible();
    await expectNoShift(page, "a record, from the list");
    await page.reload();
    await expectNoShift(page, "a record, loaded");

    await page.goto(list.replace(/\/subscriptions$/, "/reports"));
    await expect(heading(page, "Reports")).toBeVisible();
    // Once more, because the server leaves reports that take over a second, as the first ones may on
    // a busy machine, to the browser.
    await page.reload();
    await expect(page.getByRole("application").first()).toBeVisible();
    await expectNoShift(page, "the figures, loaded");

    await page.goto(list.replace(/\/subscriptions$/, "/settings/account"));
    await expectNoShift(page, "the settings, loaded");
    await page.getByRole("link", { name: "Messages" }).click();
    await expect(page).toHaveURL(/\/settings\/messages$/);
    await expectNoShift(page, "messages, from the settings");
  });

test("a page is shown even if its style sheet does not load", async ({ page }) => {
  await page.route("**/*.css", (route) => route.abort());
  await page.goto(`${duebookUrl()}/sign-in`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("leaving a page computes no styles", async ({ page }) => {
  await page.goto(`${duebookUrl()}/sign-in`);
  await expect(page.getByRole("textbox").first()).toBeEnabled();
  const computed = await page.evaluate(() => {
    const original = globalThis.getComputedStyle;
    let calls = 0;
    globalThis.getComputedStyle = (...values) => {
      calls += 1;
      return original(...values);
    };
    document.dispatchEvent(new Event("visibilitychange"));
    globalThis.getComputedStyle = original;
    return calls;
  });
  expect(computed).toBe(0);
});

test("the Inter font is fetched after the first page and used by the next page", async ({
  page,
}) => {
  const fetched = page.waitForResponse(/inter_latin\.[^/]+\.woff2/);
  await page.goto(`${duebookUrl()}/sign-in`);
  expect((await fetched).ok()).toBe(true);
  await page.waitForFunction(() => localStorage.getItem("duebook:font"));
  await page.reload();
  const font = await page.evaluate(() => localStorage.getItem("duebook:font"));
  await expect(page.locator("html")).toContainClass(font ?? "no font");
});

test("all icons of a page come from one file that the browser caches for a year", async ({
  page,
}) => {
  await signIn(page);
  const icon = page.locator("svg.icon:visible use").first();
  await expect
    .poll(() => icon.evaluate((use: SVGUseElement) => use.getBBox().width))
    .toBeGreaterThan(0);
  const [address = ""] = (await icon.getAttribute("href"))?.split("#") ?? [];
  for (const form of ["br", "identity"]) {
    const response = await page.request.get(duebookUrl() + address, {
      headers: { "accept-encoding": form },
    });
    expect(response.headers()).toMatchObject({
      "content-type": "image/svg+xml",
      "cache-control": "public, max-age=31536000, immutable",
    });
  }
});

test("scripts are served Brotli-compressed to browsers that accept it, with otherwise equal headers", async ({
  page,
  request,
}) => {
  await page.goto(`${duebookUrl()}/sign-in`);
  const address = await page
    .locator("script[src]")
    .first()
    .evaluate((script) => {
      return (script as HTMLScriptElement).src;
    });
  const get = (form: string) => request.get(address, { headers: { "accept-encoding": form } });
  const [small, plain] = [await get("gzip, br"), await get("identity")];
  expect(small.headers()["content-encoding"]).toBe("br");
  expect(await small.text()).toBe(await plain.text());
  const own =
    /^(date|etag|last-modified|accept-ranges|x-request-id|content-(length|encoding))$/;
  const lasting = Object.entries(plain.headers()).filter(([name]) => !own.test(name));
  expect(lasting.length).toBeGreaterThan(8);
  expect(small.headers()).toMatchObject(Object.fromEntries(lasting));
});

test("pages and API responses are served Brotli-compressed to browsers that accept it", async ({
  page,
}) => {
  await signIn(page);
  const path = new URL(page.url()).pathname;
  for (const address of [path, `/api${path}`]) {
    const get = (form: string) =>
      page.request.get(duebookUrl() + address, { headers: { "accept-encoding": form } });
    const [small, plain] = [await get("gzip, br"), await get("identity")];
    expect(small.headers()["content-encoding"], address).toBe("br");
    expect(small.headers()["vary"], address).toMatch(/accept-encoding/i);
    expect(plain.headers()["content-encoding"], address).toBeUndefined();
  }
  const rows = await page.request.get(`${duebookUrl()}/api${path}`);
  expect(((await rows.json()) as { results: unknown[] }).results).toHaveLength(20);
});
