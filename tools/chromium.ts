import { existsSync } from "node:fs";
import { chromium, type Page } from "@playwright/test";
import { demonstrationPerson } from "#scripts/demonstration/account.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { canInstallPackages, runSetUp } from "./programs.ts";

/**
 * The purpose of a browser. Journeys use the headless shell, which opens a context in half the
 * time.
 */
export type BrowserUse = "journeys" | "pages";

const SYSTEM_SHELL = "/usr/bin/chromium-headless-shell";
const SYSTEM_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Arguments for a headless browser that also runs as root and sends no requests of its own. */
export const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The browser of CHROMIUM_PATH, the system's, or Playwright's, in this order; null if none is there. */
export function findChromium(use: BrowserUse = "pages"): string | null {
  const candidates = [
    process.env["CHROMIUM_PATH"] ?? "",
    ...(use === "journeys" ? [SYSTEM_SHELL] : []),
    ...SYSTEM_BROWSERS,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== "" && existsSync(path)) ?? null;
}

/** Installs a browser if there is none. @throws CommandFailure that says how to do it, if that fails */
export async function ensureChromium(use: BrowserUse = "pages"): Promise<void> {
  const canInstall = canInstallPackages();
  const name = use === "journeys" ? "chromium-headless-shell" : "chromium";
  if (findChromium(use)) {
    const isWhole = use === "pages" || !canInstall || existsSync(SYSTEM_SHELL);
    if (isWhole || process.env["CHROMIUM_PATH"]) return;
    // The shell is optional: without its package, the journeys use the full browser.
    if (runSetUp("ignore", "apt-cache", "show", name)) install("ignore", name);
    return;
  }
  console.log("Installing Chromium …");
  if (canInstall) {
    runSetUp("inherit", "apt-get", "update", "-qq");
    // Not every Debian-based distribution has a package of the shell.
    if (!install("inherit", name)) install("inherit", "chromium");
  } else
    runSetUp(
      "inherit",
      process.execPath,
      "node_modules/@playwright/test/cli.js",
      "install",
      "chromium",
    );
  if (!findChromium(use))
    throw new CommandFailure(
      "a browser is needed: 'apt-get install chromium', or 'npx playwright install chromium', or CHROMIUM_PATH.",
    );
}

const install = (errors: "ignore" | "inherit", name: string) =>
  runSetUp(errors, "apt-get", "install", "-y", "-qq", name, "fonts-noto-core");

/** Signs in and waits for the overview. @param url where Duebook runs */
export async function signInToDemonstration(page: Page, url: string): Promise<void> {
  const { email, password } = demonstrationPerson();
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Overview" }).waitFor();
}
