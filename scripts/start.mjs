// Runs on whatever Node started npm, before anything is installed: plain JavaScript, no packages.
// Installs missing packages of the lockfile, then runs a command of this folder with the Node.js that
// came with them. (With "install && node …" the shell would still use the old Node.js.)
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";

const INSTALLED = "node_modules/.package-lock.json";
const OWN_NODE = `node_modules/node/bin/node${process.platform === "win32" ? ".exe" : ""}`;
const packagesOf = (file) => JSON.parse(readFileSync(file, "utf8")).packages;

/** Whether the listed packages are installed; those of other platforms are optional and absent. */
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

/** npm runs this in a shell; if that ends, nothing tells this process, but its parent changes. */
const parent = process.ppid;
const isLeft = () => Boolean(process.env.npm_lifecycle_event) && process.ppid !== parent;

if (!isInstalled()) install();
if (isLeft()) process.exit(1);
const [command, ...rest] = process.argv.slice(2);
// The child's standard input closes with this process, and then the child ends
// (leave-with-parent.ts).
const child = spawn(
  OWN_NODE,
  ["--import", "./scripts/process/leave-with-parent.ts", `scripts/${command}`, ...rest],
  {
    stdio: ["pipe", "inherit", "inherit"],
    env: { ...process.env, SUPERVISOR_PID: String(process.pid) },
  },
);
const end = (signal) => child.kill(signal);
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
child.on("exit", (code) => process.exit(code ?? 1));

// The signal is sent only once, because a second one would interrupt a clean shutdown.
const look = setInterval(() => {
  if (!isLeft()) return;
  clearInterval(look);
  end("SIGTERM");
}, 500);
