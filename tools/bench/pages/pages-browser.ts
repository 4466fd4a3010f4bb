import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium, signInToDemonstration } from "../../chromium.ts";
import { CommandFailure } from "#scripts/process/command.ts";

export interface Browser {
  context: BrowserContext;
  /** The debugging port, to which Lighthouse connects. */
  port: number;
  close: () => Promise<void>;
}

/** Starts a browser with a new profile. */
export async function openBrowser(port: number): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new CommandFailure("there is no Chromium to measure with.");
  const profile = await mkdtemp(join(tmpdir(), "duebook-browser-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath,
    args: [...CHROMIUM_ARGUMENTS, `--remote-debugging-port=${port}`],
  });
  return {
    context,
    port,
    close: async () => {
      await context.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** URLs of the pages by name, after signing in to the demonstration. */
export type PageUrls = Record<"sign-in" | "overview" | "list" | "record" | "checkout", string>;

/**
 * Signs in to the demonstration.
 * @returns the pages' URLs; the record is the first of the list, and the checkout is unpaid
 */
export async function signInAndFindPages(
  context: BrowserContext,
  url: string,
): Promise<PageUrls> {
  const page = await context.newPage();
  await signInToDemonstration(page, url);
  const overview = page.url();
  await page.close();
  const records = `${url}/api${new URL(overview).pathname}/subscriptions`;
  const read = async <Answer>(path: string) =>
    (await (await context.request.get(records + path)).json()) as Answer;
  const firstOf = async (query: string) => {
    const { results } = await read<{ results: { subscription_id: string }[] }>(query);
    return results[0]?.subscription_id ?? "";
  };
  const unpaid = await firstOf("?status=pending_checkout");
  const { checkout_url } = await read<{ checkout_url: string | null }>(`/${unpaid}`);
  if (!checkout_url) throw new CommandFailure("the demonstration has no open checkout.");
  return {
    "sign-in": `${url}/sign-in`,
    overview,
    list: `${overview}/subscriptions`,
    record: `${overview}/subscriptions/${await firstOf("")}`,
    checkout: checkout_url,
  };
}
