import { join } from "node:path";
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium, signInToDemonstration } from "../chromium.ts";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

/** Each page of the README's screenshots, with a selector of what appears once its rows are loaded. */
const PAGES = { collection: "[data-row]", subscriptions: "[data-row]" };

/** Takes the README's screenshots from the Duebook at DUEBOOK_URL (default port 3000). */
await runCommand(async () => {
  const url = process.env["DUEBOOK_URL"] || "http://localhost:3000";
  const executablePath = findChromium();
  if (!executablePath)
    throw new CommandFailure("there is no Chromium to take screenshots with.");
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    await signInToDemonstration(page, url);
    const [, seller] = new URL(page.url()).pathname.split("/");
    for (const [place, ready] of Object.entries(PAGES)) {
      await page.goto(`${url}/${seller}/test/${place}`);
      await page.locator(ready).first().waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const name = colorScheme === "light" ? place : `${place}-dark`;
        await page.screenshot({ path: join(ROOT, `docs/pictures/${name}.png`) });
      }
    }
  } finally {
    await browser.close();
  }
});
