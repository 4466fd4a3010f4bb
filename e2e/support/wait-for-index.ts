import type { Page } from "@playwright/test";
import { searchTextHeader, type ListAnswer } from "#lib/list-answer.ts";
import { cookiesOf, sendRequest } from "./intruder.ts";
import { expect } from "./seller.ts";

/** Waits until the search index finds the text; it lags behind the service. */
export async function waitForIndex(page: Page, words: string) {
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const cookie = await cookiesOf(page.context());
  const headers = searchTextHeader(words);
  await expect
    .poll(
      async () => {
        const answer = await sendRequest(`/api/${seller}/test/subscriptions`, {
          cookie,
          headers,
        });
        const { absence, results } = (await answer.json()) as ListAnswer<unknown>;
        return absence?.state ?? results.length > 0;
      },
      { timeout: 40_000 },
    )
    .toBe(true);
}
