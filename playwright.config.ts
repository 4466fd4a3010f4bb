import { defineConfig, devices } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium } from "#tools/chromium.ts";

const executablePath = findChromium("journeys");

/** Journeys through the production build, in a real browser, over the real billing service. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  globalSetup: "./e2e/global-setup.ts",
  forbidOnly: true,
  retries: 0,
  // Each has a product of its own (global-setup.ts).
  workers: 2,
  // Three times the longest test's time on a busy machine.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: process.env["PLAYWRIGHT_JSON_OUTPUT_NAME"] ? [["list"], ["json"]] : "list",
  use: {
    ...devices["Desktop Chrome"],
    viewport: { width: 1440, height: 900 },
    // Without its film and its copies of the page, an eighth of all the work; a failure may need them back.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: CHROMIUM_ARGUMENTS,
    },
  },
});
