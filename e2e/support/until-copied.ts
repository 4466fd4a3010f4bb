import type { Page } from "@playwright/test";
import { WORDS_HEADER, type Found } from "#lib/subscriptions/search-queries.ts";
import { cookiesOf, knock } from "./intruder.ts";
import { expect } from "./seller.ts";

/** Until the copy holds what is searched for: it follows what the service has, a little later. */
export async function untilCopied(page: Page, words: string) {
  const [, seller = ""] = new URL(page.url()).pathname.split("/");
  const cookie = await cookiesOf(page.context());
  const headers = { [WORDS_HEADER]: encodeURIComponent(words) };
  await expect
    .poll(
      async () => {
        const answer = await knock(`/api/${seller}/test/search/subscriptions`, {
          cookie,
          headers,
        });
        const found = (await answer.json()) as Found<unknown>;
        return found.state === "ready" ? found.count > 0 : found.state;
      },
      { timeout: 40_000 },
    )
    .toBe(true);
}
