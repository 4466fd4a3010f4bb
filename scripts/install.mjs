// Runs on whatever Node started npm, before anything is installed: plain JavaScript, no packages.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const installedList = "node_modules/.package-lock.json";
const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** npm writes down what it installed; packages of other platforms are optional and not there. */
function isInstalled() {
  if (!existsSync(installedList)) return false;
  const installed = packagesOf(installedList);
  return Object.entries(packagesOf("package-lock.json")).every(
    ([path, { version, optional }]) =>
      path === "" || optional || installed[path]?.version === version,
  );
}

if (!isInstalled()) {
  console.log("Installing packages …");
  const npm = process.env.npm_execpath;
  const ci = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const installed = npm
    ? spawnSync(process.execPath, [npm, ...ci], { stdio: "inherit" })
    : spawnSync("npm", ci, { stdio: "inherit", shell: process.platform === "win32" });
  if (installed.status !== 0) {
    console.error("duebook: the packages could not be installed; npm says why above.");
    process.exit(installed.status ?? 1);
  }
}
