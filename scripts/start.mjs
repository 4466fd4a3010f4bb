// Runs on whatever Node started npm, before anything is installed: plain JavaScript, no packages.
// Installs what the lockfile names when it is not there, then runs a command of this folder on the
// Node that came with it. (In "install && node …" the shell would go on with the Node it knows.)
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const INSTALLED = "node_modules/.package-lock.json";
const OWN_NODE = `node_modules/node/bin/node${process.platform === "win32" ? ".exe" : ""}`;
const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** npm writes down what it installed; packages of other platforms are optional and not there. */
function isInstalled() {
  if (!existsSync(INSTALLED) || !existsSync(OWN_NODE)) return false;
  const installed = packagesOf(INSTALLED);
  return Object.entries(packagesOf("package-lock.json")).every(
    ([path, { version, optional }]) =>
      path === "" || optional || installed[path]?.version === version,
  );
}

function install() {
  console.log("Installing packages …");
  const npm = process.env.npm_execpath;
  const ci = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = npm
    ? spawnSync(process.execPath, [npm, ...ci], { stdio: "inherit" })
    : spawnSync("npm", ci, { stdio: "inherit", shell: process.platform === "win32" });
  if (status === 0 && existsSync(OWN_NODE)) return;
  console.error("duebook: the packages could not be installed; npm says why above.");
  process.exit(status || 1);
}

if (!isInstalled()) install();
const [command, ...rest] = process.argv.slice(2);
const child = spawn(OWN_NODE, [`scripts/${command}`, ...rest], { stdio: "inherit" });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => child.kill(signal));
child.on("exit", (code) => process.exit(code ?? 1));
