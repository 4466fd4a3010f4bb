import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { Failure } from "./failure.ts";

/** Journeys ask for the shell that has no window parts: it opens a context in half of the time. */
export type Use = "journeys" | "pages";

const SYSTEM_SHELL = "/usr/bin/chromium-headless-shell";
const SYSTEM_BROWSERS = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** Without a window, as root too, and asking nobody for anything of its own. */
export const CHROMIUM_ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** The system's browser, else the one that Playwright fetched; null if there is none. */
export function findChromium(use: Use = "pages"): string | null {
  const candidates = [
    process.env["CHROMIUM_PATH"] ?? "",
    ...(use === "journeys" ? [SYSTEM_SHELL] : []),
    ...SYSTEM_BROWSERS,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== "" && existsSync(path)) ?? null;
}

/** Installs a browser where that needs nobody's answer. @throws Failure that says how to do it. */
export async function ensureChromium(use: Use = "pages"): Promise<void> {
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const found = findChromium(use);
  const isWhole = use === "pages" || !canInstall || existsSync(SYSTEM_SHELL);
  if (found && (isWhole || process.env["CHROMIUM_PATH"])) return;
  const run = (command: string, ...arguments_: string[]) =>
    spawnSync(command, arguments_, {
      stdio: ["ignore", "ignore", found ? "ignore" : "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  console.log("Installing Chromium …");
  if (canInstall) {
    const name = use === "journeys" ? "chromium-headless-shell" : "chromium";
    run("apt-get", "update", "-qq");
    // Not every distribution of Debian's family has the shell by itself.
    if (!run("apt-get", "install", "-y", "-qq", name, "fonts-noto-core") && !found)
      run("apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-core");
  } else run(process.execPath, "node_modules/@playwright/test/cli.js", "install", "chromium");
  if (!findChromium(use))
    throw new Failure(
      "a browser is needed: 'apt-get install chromium', or 'npx playwright install chromium', or CHROMIUM_PATH.",
    );
}
