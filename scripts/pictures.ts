import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findChromium } from "./chromium.ts";
import { Failure, runCommand } from "./failure.ts";
import { ROOT } from "./settings.ts";

/** The README's pictures, taken from a Duebook that runs at DUEBOOK_URL (default port 3000). */
await runCommand(async () => {
  const url = process.env["DUEBOOK_URL"] || "http://localhost:3000";
  const executablePath = findChromium();
  if (!executablePath) throw new Failure("there is no Chromium to take pictures with.");
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 760 } });
    await page.goto(`${url}/sign-in`);
    await page.getByLabel("Email").fill(process.env["DEMO_EMAIL"] || "demo@duebook.example");
    await page.getByLabel("Password").fill(process.env["DEMO_PASSWORD"] || "duebook-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText(/^1–20 of/).waitFor();
    await page.screenshot({ path: join(ROOT, "docs/pictures/subscriptions.png") });
  } finally {
    await browser.close();
  }
});
