import { expect, type Page } from "@playwright/test";

// A page that is still arriving, or was just left, has copies in the document that nobody sees.

/**
 * A page counts as loaded while its last parts still wait, hidden, up to 300 ms for their places: what is
 * found, read or typed meanwhile belongs to what only stands there for them. Its keys work a moment later
 * still. From here on `goto` and `reload` return when every part is in its place, and hears keys.
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

/** A text as a person at the screen sees it. */
export const visibleText = (screen: Page, ...text: Parameters<Page["getByText"]>) =>
  screen.getByText(...text).filter({ visible: true });

/** A field as a person at the screen sees it, by its label. */
export const visibleField = (screen: Page, ...label: Parameters<Page["getByLabel"]>) =>
  screen.getByLabel(...label).filter({ visible: true });
