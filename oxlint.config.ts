import { defineConfig } from "oxlint";

export default defineConfig({
  plugins: [
    "typescript",
    "unicorn",
    "oxc",
    "import",
    "react",
    "nextjs",
    "jsx-a11y",
    "promise",
    "node",
  ],
  jsPlugins: ["./tools/lint/plugin.ts"],
  categories: { correctness: "error" },
  env: { browser: true, node: true },
  ignorePatterns: [
    ".next",
    "node_modules",
    ".data",
    "next-env.d.ts",
    "clients/typescript/dist",
    // Generated, and compared with the API's description; the compiler reads them.
    "clients/typescript/src/generated",
  ],
  rules: {
    "duebook/boundaries": "error",
    "duebook/words": "error",
    "duebook/terms": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/ban-ts-comment": "error",
    "typescript/switch-exhaustiveness-check": "error",
    "eslint/eqeqeq": ["error", "always", { null: "ignore" }],
    "eslint/no-console": "error",
    "eslint/max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
    "import/no-default-export": "error",
    "import/no-cycle": "error",
    "node/no-process-env": "error",
    "react/react-in-jsx-scope": "off",
    "react/exhaustive-deps": "error",
    // Tables that become cards lose their roles in browsers unless they are written out.
    "jsx-a11y/no-redundant-roles": "off",
    "jsx-a11y/no-interactive-element-to-noninteractive-role": "off",
    "jsx-a11y/prefer-tag-over-role": "off",
    // Content and names are passed in; axe looks at the rendered page.
    "jsx-a11y/anchor-has-content": "off",
    "jsx-a11y/control-has-associated-label": "off",
    "jsx-a11y/no-autofocus": "off",
    // A promise that only ends a test's wait or a request's body is written without a chain.
    "promise/always-return": "off",
  },
  overrides: [
    {
      // Next.js, next-intl and the tools' configuration files are found by their default export.
      files: [
        "app/**",
        "*.config.{ts,mjs}",
        "lib/i18n-request.ts",
        "proxy.ts",
        "tools/lint/**",
        "tools/testing/global-setup.ts",
        "e2e/**",
      ],
      rules: { "import/no-default-export": "off" },
    },
    {
      // Commands print to a terminal and read their environment.
      files: [
        "scripts/**",
        "tools/**",
        "service/admin.ts",
        "service/admin/**",
        "e2e/**",
        "playwright.config.ts",
      ],
      rules: { "eslint/no-console": "off", "node/no-process-env": "off" },
    },
    {
      // A fixture that needs no other is written so in Playwright.
      files: ["e2e/**"],
      rules: {
        "eslint/no-empty-pattern": "off",
        "eslint/no-restricted-properties": [
          "error",
          ...["getByText", "getByLabel"].map((property) => ({
            object: "page",
            property,
            message: "It also finds the copies that nobody sees: e2e/support/visible-text.ts.",
          })),
        ],
      },
    },
    {
      // The two places where a program reads its environment, and where it fails before it can log.
      files: [
        "lib/env.ts",
        "service/config.ts",
        "service/main.ts",
        "lib/prepare-database.ts",
        "instrumentation.ts",
      ],
      rules: { "node/no-process-env": "off", "eslint/no-console": "off" },
    },
    {
      // Files without a reader's language: commands, the service, tests, and names.
      files: [
        "contract/**",
        "service/**",
        "clients/**",
        "scripts/**",
        "tools/**",
        "e2e/**",
        "**/*.test.ts",
        "*.config.ts",
        "proxy.ts",
        "instrumentation*.ts",
        "app/global-error.tsx",
        "components/shell/navigation/logo.tsx",
        "lib/log.ts",
        // Texts to buyers, in whichever language the seller chooses.
        "lib/messages/rules.ts",
        "lib/messages/reminders/rules.ts",
        "lib/db/**",
        "lib/prepare-database.ts",
        "lib/env.ts",
        "lib/exposure.ts",
      ],
      rules: { "duebook/words": "off" },
    },
  ],
});
