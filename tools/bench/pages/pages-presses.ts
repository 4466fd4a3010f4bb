import type { BrowserContext, Page } from "@playwright/test";
import type { PageUrls } from "./pages-browser.ts";
import type { Preset } from "./pages-lighthouse.ts";

const SCREENS: Record<Preset, { width: number; height: number }> = {
  desktop: { width: 1440, height: 900 },
  mobile: { width: 390, height: 844 },
};

interface Press {
  name: string;
  on: keyof PageUrls;
  press: (page: Page) => Promise<void>;
}

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).first();

export const MEASURED_PRESSES: Press[] = [
  {
    name: "a filter of the list",
    on: "list",
    press: (page) => page.getByRole("link", { name: /^Due(?!book)/ }).click(),
  },
  {
    name: "its next page",
    on: "list",
    press: (page) => page.getByRole("link", { name: "Next", exact: true }).click(),
  },
  { name: "its columns", on: "list", press: (page) => button(page, "Columns").click() },
  {
    name: "a row's mark",
    on: "list",
    press: (page) => page.getByRole("main").getByRole("checkbox").nth(1).click(),
  },
  {
    name: "a record",
    on: "list",
    press: (page) => page.locator("main a[data-row-link]").first().click(),
  },
  {
    name: "a change of the record",
    on: "record",
    press: (page) =>
      page.getByRole("main").locator('button[aria-haspopup="dialog"]').first().click(),
  },
];

/**
 * Times a click: milliseconds until the frame that shows its effect, as the browser
 * counts them for Interaction to Next Paint (in steps of eight, 0 below sixteen), on a page that
 * has settled.
 * @param phoneSlowdown how many times slower than this machine Lighthouse assumes a phone to be
 */
export async function measurePress(
  context: BrowserContext,
  addresses: PageUrls,
  { on, press }: Press,
  preset: Preset,
  phoneSlowdown: number,
): Promise<number> {
  const page = await context.newPage();
  await page.setViewportSize(SCREENS[preset]);
  await page.addInitScript(() => {
    const longest = { duration: 0 };
    Object.assign(globalThis, { longestPress: longest });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries())
        longest.duration = Math.max(longest.duration, duration);
    }).observe({ type: "event", durationThreshold: 16, buffered: true } as object);
  });
  await page.goto(addresses[on]);
  await page.waitForLoadState("networkidle");
  const devtools = await context.newCDPSession(page);
  const rate = preset === "mobile" ? phoneSlowdown : 1;
  await devtools.send("Emulation.setCPUThrottlingRate", { rate });
  await press(page);
  // The browser reports a click some frames later.
  const duration = await page.evaluate(async () => {
    await new Promise((done) => setTimeout(done, 1_000));
    return (globalThis as unknown as { longestPress: { duration: number } }).longestPress
      .duration;
  });
  await page.close();
  return duration;
}
