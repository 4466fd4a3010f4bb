import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { Failure } from "./failure.ts";

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

/** The browser for the tests: the system's, else the one that Playwright fetched; null if none. */
export function findChromium(): string | null {
  const candidates = [
    process.env["CHROMIUM_PATH"] ?? "",
    ...SYSTEM_BROWSERS,
    chromium.executablePath(),
  ];
  return candidates.find((path) => path !== "" && existsSync(path)) ?? null;
}

/** Installs a browser where that needs nobody's answer. @throws Failure that says how to do it. */
export async function ensureChromium(): Promise<void> {
  if (findChromium()) return;
  const run = (command: string, ...arguments_: string[]) =>
    spawnSync(command, arguments_, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  console.log("Installing Chromium for the browser tests …");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    run("apt-get", "update", "-qq");
    run("apt-get", "install", "-y", "-qq", "chromium", "fonts-noto-core");
  } else run(process.execPath, "node_modules/@playwright/test/cli.js", "install", "chromium");
  if (!findChromium())
    throw new Failure(
      "the browser tests need Chromium: 'apt-get install chromium', or 'npx playwright install chromium', or CHROMIUM_PATH.",
    );
}
