import type { Page } from "@playwright/test";

// A page that is still arriving, or was just left, has copies in the document that nobody sees.

/** A text as a person at the screen sees it. */
export const seenText = (screen: Page, ...text: Parameters<Page["getByText"]>) =>
  screen.getByText(...text).filter({ visible: true });

/** A field as a person at the screen sees it, by its label. */
export const seenField = (screen: Page, ...label: Parameters<Page["getByLabel"]>) =>
  screen.getByLabel(...label).filter({ visible: true });
