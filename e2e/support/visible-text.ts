import { expect, type Page } from "@playwright/test";

// While a page streams in, or just after it is left, the document holds hidden copies of its content.

/**
 * Makes `reload`, and `goto` without `waitUntil`, wait until all streamed parts are in place and
 * shortcuts are active. React holds streamed parts back, hidden, for up to 300 ms after the load
 * event; until then tests would act on their placeholders.
 */
export function waitForFullPages(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  const untilArrived = () =>
    expect(
      page.locator("template[id^='B:'], [hidden][id^='S:'], [data-keys=awaited]"),
    ).toHaveCount(0);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (options?.waitUntil === undefined) await untilArrived();
    return response;
  };
  page.reload = async (options) => {
    const response = await reload(options);
    await untilArrived();
    return response;
  };
}

/** Visible elements with this text. */
export const visibleText = (screen: Page, ...text: Parameters<Page["getByText"]>) =>
  screen.getByText(...text).filter({ visible: true });

export const visibleField = (screen: Page, ...label: Parameters<Page["getByLabel"]>) =>
  screen.getByLabel(...label).filter({ visible: true });

/** Holds the scripts of later pages back. @returns a function that lets them load */
export async function holdScripts(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/_next/static/**/*.js", async (route) => {
    await gate.promise;
    await route.continue();
  });
  return gate.resolve;
}
