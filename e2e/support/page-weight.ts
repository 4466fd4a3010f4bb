import type { Browser, BrowserContextOptions } from "@playwright/test";

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
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    const types = new Map<string, string>();
    const weight: PageWeight = { html: 0, scripts: 0, all: 0, requests: 0 };
    network.on("Network.requestWillBeSent", ({ requestId, type }) => {
      types.set(requestId, type ?? "");
      weight.requests += 1;
    });
    network.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const size = encodedDataLength / 1024;
      weight.all += size;
      if (types.get(requestId) === "Script") weight.scripts += size;
    });
    const response = await page.goto(url);
    weight.html = ((await response?.body())?.length ?? 0) / 1024;
    await page.waitForLoadState("networkidle");
    return weight;
  } finally {
    await context.close();
  }
}
