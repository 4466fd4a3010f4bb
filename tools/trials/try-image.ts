import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  stagesOf,
  variablesOf,
  instructionsOfStage,
  parseWords,
  type DockerfileStage,
} from "./dockerfile.ts";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { freePort } from "#scripts/database/free-port.ts";
import { startPostgres } from "#scripts/database/postgres.ts";
import { unprivilegedUser } from "#scripts/database/postgres-home.ts";
import { ROOT } from "#scripts/process/settings.ts";

/**
 * Runs the instructions of the Dockerfile as plain commands in empty folders, and starts the programs
 * as another user without write access. No image is built, and Node.js is this machine's.
 */
async function tryImage() {
  const user = unprivilegedUser();
  if (!user)
    throw new CommandFailure(
      "this has to run as root, so that the programs can run as another user.",
    );
  const folder = mkdtempSync(join(tmpdir(), "duebook-image-"));
  chmodSync(folder, 0o755);
  const stages = stagesOf(readFileSync(join(ROOT, "Dockerfile"), "utf8"));
  const context = join(folder, "context");
  takeContext(context);
  for (const name of ["packages", "build", "runtime"]) makeStage(stages, name, folder);
  run("chmod", ["-R", "a-w", join(folder, "runtime")], folder);
  try {
    await tryPrograms(stages, folder, user);
  } finally {
    run("chmod", ["-R", "u+w", join(folder, "runtime")], folder);
    if (!process.argv.includes("--keep")) await rm(folder, { recursive: true, force: true });
  }
}

/** Copies git's files without the folders that .dockerignore excludes. */
function takeContext(to: string) {
  mkdirSync(to);
  run("sh", ["-c", `git ls-files -z | xargs -0 cp --parents -t "${to}"`], ROOT);
  const ignored = readFileSync(join(ROOT, ".dockerignore"), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("**"));
  run("sh", ["-c", `rm -rf ${ignored.join(" ")}`], to);
}

function makeStage(stages: readonly DockerfileStage[], name: string, folder: string) {
  const place = join(folder, name);
  mkdirSync(place);
  const environment: Record<string, string> = {};
  for (const { name: verb, text } of instructionsOfStage(stages, name)) {
    if (verb === "ENV") Object.assign(environment, variablesOf(text));
    if (verb === "RUN") run("sh", ["-c", text], place, environment);
    if (verb !== "COPY") continue;
    const words = text.split(/\s+/);
    const from = /^--from=(\S+)$/.exec(words[0] ?? "")?.[1];
    const [to = ".", ...sources] = (from ? words.slice(1) : words).toReversed();
    for (const source of sources) {
      const path = from
        ? join(folder, from, source.replace(/^\/app\/?/, ""))
        : join(folder, "context", source);
      const target = join(place, to, to.endsWith("/") ? (source.split("/").at(-1) ?? "") : "");
      cpSync(path, target, { recursive: true, verbatimSymlinks: true });
    }
  }
  console.log(`${name}: ${sizeOf(place)}`);
}

const sizeOf = (place: string) =>
  spawnSync("du", ["-sh", place], { encoding: "utf8" }).stdout.split("\t")[0] ?? "";

function run(command: string, arguments_: string[], cwd: string, environment = {}) {
  const { status, stdout, stderr } = spawnSync(command, arguments_, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, ...environment },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0)
    throw new CommandFailure(
      `'${command} ${arguments_.join(" ")}' failed:\n${stdout}\n${stderr}`,
    );
}

interface User {
  uid: number;
  gid: number;
}

async function tryPrograms(stages: readonly DockerfileStage[], folder: string, user: User) {
  const database = await startPostgres(join(folder, "data"), { durable: false });
  const running: ChildProcess[] = [];
  try {
    for (const name of ["service", "dashboard"]) await database.ensureDatabase(name);
    const secret = (name: string, text = randomBytes(32).toString("base64")) => {
      const file = join(folder, `${name}.secret`);
      writeFileSync(file, text, { mode: 0o400 });
      chownSync(file, user.uid, user.gid);
      return file;
    };
    const [port, servicePort] = [await freePort(), await freePort()];
    const ofService = {
      SERVICE_DATABASE_URL_FILE: secret("service_url", database.url("service")),
      SERVICE_SECRETS_KEY_FILE: secret("service_secrets_key"),
      SERVICE_PORT: String(servicePort),
      SERVICE_WORKER: "elsewhere",
    };
    const ofDashboard = {
      DATABASE_URL_FILE: secret("dashboard_url", database.url("dashboard")),
      NEXTAUTH_SECRET_FILE: secret("nextauth_secret"),
      API_KEY_ENCRYPTION_KEY_FILE: secret("api_key_encryption_key"),
      NEXTAUTH_URL: "https://desk.example",
      BILLING_SANDBOX_API_URL: `http://127.0.0.1:${servicePort}`,
      PORT: String(port),
      MIRROR_WORKER: "elsewhere",
    };
    const start = (target: string, given: Record<string, string>, command?: string[]) => {
      const instructions = instructionsOfStage(stages, target);
      const last = (name: string) =>
        instructions.findLast((one) => one.name === name)?.text ?? "";
      const fixed = instructions
        .filter(({ name }) => name === "ENV")
        .map(({ text }) => variablesOf(text));
      const words = [
        ...parseWords(last("ENTRYPOINT")),
        ...(command ?? parseWords(last("CMD"))),
      ];
      const [program = "", ...rest] = words.map((word) => word.replace(/^\/app\//, ""));
      const environment = Object.assign(
        { PATH: process.env["PATH"], HOME: "/nonexistent" },
        ...fixed,
        given,
      );
      const child = spawn(join(folder, "runtime", program), rest, {
        cwd: join(folder, "runtime"),
        env: environment as NodeJS.ProcessEnv,
        stdio: ["ignore", "inherit", "inherit"],
        uid: user.uid,
        gid: user.gid,
      });
      running.push(child);
      return { child, check: parseWords(last("HEALTHCHECK")), environment };
    };
    const service = start("service", ofService);
    await isHealthy(service.check, 4000, servicePort);
    const dashboard = start("dashboard", ofDashboard);
    await isHealthy(dashboard.check, 3000, port);
    const workers = [
      start("service", ofService, ["node", "service/worker.ts"]),
      start("dashboard", ofDashboard, [
        "node",
        "--conditions=react-server",
        "scripts/worker-process.ts",
      ]),
    ];
    const page = await fetch(`http://127.0.0.1:${port}/sign-in?ready=1`);
    const html = await page.text();
    const script = /src="(\/_next\/static\/[^"]+\.js)"/.exec(html)?.[1] ?? "";
    const file = await fetch(`http://127.0.0.1:${port}${script}`);
    if (!page.ok || !file.ok)
      throw new CommandFailure(
        `the page was answered with ${page.status}, its script with ${file.status}.`,
      );
    await delay(3_000);
    for (const { child } of [service, dashboard, ...workers]) {
      if (child.exitCode !== null)
        throw new CommandFailure(`${child.spawnargs.join(" ")} exited unexpectedly.`);
      child.kill("SIGTERM");
    }
    await Promise.all(running.map((child) => ended(child)));
    const codes = running.map(({ exitCode, signalCode }) => signalCode ?? exitCode);
    console.log(
      `All four programs started, answered and stopped when asked to (${codes.join(", ")}).`,
    );
  } finally {
    for (const child of running) child.kill("SIGKILL");
    await database.close();
  }
}

const ended = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve()
    : new Promise((resolve) => child.once("exit", resolve));

/** Runs the image's health check, at another port than written there, until it succeeds. */
async function isHealthy([program = "", ...rest]: string[], written: number, port: number) {
  const arguments_ = rest.map((word) => word.replace(`:${written}/`, `:${port}/`));
  for (let tries = 0; tries < 300; tries += 1) {
    if (spawnSync(program, arguments_).status === 0) return;
    await delay(100);
  }
  throw new CommandFailure(`no program became ready at port ${port}.`);
}

await runCommand(tryImage);
