import { defineConfig } from "vitest/config";

const serverOnly = { alias: { "server-only": "node:module" } };

/** `unit` needs nothing beside Node; `database` gets one PostgreSQL for the whole run. */
export default defineConfig({
  test: {
    // Vitest leaves one core out; the database tests wait for PostgreSQL half of their time.
    maxWorkers: "100%",
    projects: [
      {
        resolve: serverOnly,
        test: {
          name: "unit",
          include: ["{app,components,contract,lib,scripts,service,tools}/**/*.test.ts?(x)"],
          exclude: ["**/node_modules/**", "**/*.db.test.ts"],
        },
      },
      {
        resolve: serverOnly,
        test: {
          name: "database",
          include: ["{lib,scripts,service,tools}/**/*.db.test.ts"],
          globalSetup: ["tools/testing/global-setup.ts"],
          // Some start servers and processes of their own; a busy machine takes its time for them.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
    ],
  },
});
