import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";
import { forbiddenImport } from "./boundaries.ts";

describe("the import boundaries", () => {
  it.each([
    ["service/subscriptions/create.ts", "lib/format/format.ts"],
    ["service/subscriptions/create.ts", "scripts/process/command.ts"],
    ["app/(dashboard)/subscriptions/page.tsx", "service/subscriptions/create.ts"],
    ["components/subscriptions/list.tsx", "lib/subscriptions/data.ts"],
    ["components/subscriptions/list.tsx", "lib/billing/client.ts"],
    ["components/subscriptions/list.tsx", "components/webhooks/form.tsx"],
    ["components/ui/button.tsx", "service/app.ts"],
    ["lib/subscriptions/data.ts", "components/ui/button.tsx"],
    ["lib/subscriptions/data.ts", "lib/webhooks/data.ts"],
    ["contract/subscriptions.ts", "service/app.ts"],
  ])("keeps %s from importing %s", (from, to) => {
    expect(forbiddenImport(from, to)).toContain("may not import");
  });

  it.each([
    ["app/(dashboard)/subscriptions/page.tsx", "lib/subscriptions/data.ts"],
    ["components/subscriptions/list.tsx", "lib/subscriptions/queries.ts"],
    ["components/subscriptions/list.tsx", "lib/auth/permissions.ts"],
    ["components/subscriptions/list.tsx", "components/list/data-table.tsx"],
    ["lib/subscriptions/data.ts", "lib/billing/client.ts"],
    ["service/subscriptions/create.ts", "contract/subscriptions.ts"],
    ["tools/testing/global-setup.ts", "service/db/migrate.ts"],
  ])("lets %s import %s", (from, to) => {
    expect(forbiddenImport(from, to)).toBeNull();
  });
});

// A small tree under the project's own configuration, with wrong imports in app, components and service.
describe("a forbidden import", () => {
  let tree: string;
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  };
  const run = (tool: string, ...arguments_: string[]) => {
    const ran = spawnSync(process.execPath, [join(ROOT, "node_modules", tool), ...arguments_], {
      cwd: tree,
      encoding: "utf8",
    });
    return { status: ran.status, output: ran.stdout + ran.stderr };
  };

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "duebook-boundaries-"));
    for (const file of [
      "package.json",
      "oxlint.config.ts",
      "tsconfig.base.json",
      "tools/lint",
      "docs/glossary.md",
    ])
      cpSync(join(ROOT, file), join(tree, file), { recursive: true });
    for (const file of ["contract", "service"])
      cpSync(join(ROOT, file, "tsconfig.json"), join(tree, file, "tsconfig.json"));
    // Links the packages one by one, because the compiler writes its state into the folder itself.
    mkdirSync(join(tree, "node_modules"));
    for (const name of ["oxlint", "@types"])
      symlinkSync(join(ROOT, "node_modules", name), join(tree, "node_modules", name));
    write("contract/wire.ts", "export const wire = 1;\n");
    write("lib/format/format.ts", "export const format = 1;\n");
    write("lib/subscriptions/data.ts", "export const data = 1;\n");
    write("service/app.ts", 'export { format } from "../lib/format/format.ts";\n');
    write("app/page.tsx", 'export { format } from "../service/app.ts";\n');
    write("components/list/list.tsx", 'export { data } from "#lib/subscriptions/data.ts";\n');
    write(
      "components/list/lazy.tsx",
      'export const lazy = () => import("../../service/app.ts");\n',
    );
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  it("fails the linter in app, components and service", () => {
    const { status, output } = run("oxlint/bin/oxlint", "--format", "unix");
    expect(status).toBe(1);
    const found = [...output.matchAll(/^(\S+?):\d+.*duebook\(boundaries\)/gm)].map(
      (match) => match[1],
    );
    expect(found).toHaveLength(4);
    expect(new Set(found)).toEqual(
      new Set([
        "app/page.tsx",
        "components/list/lazy.tsx",
        "components/list/list.tsx",
        "service/app.ts",
      ]),
    );
  });

  it("fails the compiler if the service imports from the dashboard", () => {
    const { status, output } = run("typescript/lib/tsc.js", "-b", "service");
    expect(status).not.toBe(0);
    expect(output).toContain(
      "lib/format/format.ts' is not listed within the file list of project",
    );
  });
});
