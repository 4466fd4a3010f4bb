import type { Browser, BrowserContextOptions, Page } from "@playwright/test";

export interface PageWeight {
  /** KiB of the decoded document. */
  html: number;
  /** KiB of scripts as received. */
  scripts: number;
  /** KiB of everything as received. */
  all: number;
  requests: number;
}

/**
 * Loads a page in a new browser context, so without a cache, until the network is idle.
 * @param state the cookies of a signed-in user
 */
export async function weighPage(
  browser: Browser,
  state: BrowserContextOptions["storageState"],
  url: string,
): Promise<PageWeight> {
  const context = await browser.newContext(state ? { storageState: state } : {});
  try {
    const page = await context.newPage();
    const weight = await weigh(page);
    const response = await page.goto(url);
    weight.html = ((await response?.body())?.length ?? 0) / 1024;
    await page.waitForLoadState("networkidle");
    return weight;
  } finally {
    await context.close();
  }
}

/**
 * Loads a page and weighs what a user's action there loads, except fonts, which may belong to the
 * first page.
 * @param act ends when the user sees the last answer
 */
export async function weighActs(
  browser: Browser,
  state: BrowserContextOptions["storageState"],
  url: string,
  act: (page: Page) => Promise<void>,
): Promise<PageWeight> {
  const context = await browser.newContext(state ? { storageState: state } : {});
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.waitForLoadState("networkidle");
    const weight = await weigh(page, ["Font"]);
    await act(page);
    return weight;
  } finally {
    await context.close();
  }
}

/** Counts what the page receives from now on. @param ignored types of requests, as Chromium names them */
async function weigh(page: Page, ignored: string[] = []): Promise<PageWeight> {
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const types = new Map<string, string>();
  const weight: PageWeight = { html: 0, scripts: 0, all: 0, requests: 0 };
  network.on("Network.requestWillBeSent", ({ requestId, type = "" }) => {
    if (ignored.includes(type)) return;
    types.set(requestId, type);
    weight.requests += 1;
  });
  network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId);
    if (type === undefined) return;
    const size = encodedDataLength / 1024;
    weight.all += size;
    if (type === "Script") weight.scripts += size;
  });
  return weight;
}
