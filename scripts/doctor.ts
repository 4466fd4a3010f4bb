import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnv, envProblems } from "#lib/env.ts";
import { checkApis } from "./doctor/api.ts";
import { checkClocks } from "./doctor/clock.ts";
import {
  checkExposure,
  checkNames,
  checkNode,
  checkPorts,
  checkPrograms,
} from "./doctor/configuration.ts";
import { checkConnections, checkReceiver } from "./doctor/connections.ts";
import {
  checkDatabase,
  checkDisk,
  openForLook,
  type DatabaseProgram,
} from "./doctor/database.ts";
import { failure, type Finding } from "./doctor/finding.ts";
import { checkEncryption } from "./doctor/keys.ts";
import type { Look } from "./doctor/look.ts";
import { printFindings } from "./doctor/print.ts";
import { checkProvider } from "./doctor/provider.ts";
import { checkBackups, checkJobs, checkMail } from "./doctor/work.ts";
import { reasonOf, runCommand } from "./process/failure.ts";
import { readOptions } from "./process/options.ts";
import { dashboardProgram, serviceEnvironment } from "./process/programs.ts";
import { readSecrets } from "./process/secrets.ts";
import {
  loadEnvFile,
  openDatabases,
  readSettings,
  ROOT,
  type Settings,
} from "./process/settings.ts";

const HELP = `npm run doctor -- [--json]
Looks at the configuration, the databases, the billing API, keys, clocks, webhooks, mail, jobs and
backups, and says in words what is wrong and what to do. Changes nothing; best while Duebook runs.
Ends with exit code 1 where something keeps Duebook from working.`;

export type Report = Record<string, Finding[]>;

const { values } = readOptions({
  options: {
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const wantedNode = () =>
  (
    JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
      dependencies: { node: string };
    }
  ).dependencies.node;

/** A check that throws is reported as a finding; the other checks still run. */
async function findingsOf(check: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const words = `This could not be looked at: ${reasonOf(error).split("\n")[0]}.`;
    return [failure(words, "Put right what is said above, then look again.")];
  }
}

async function examine(): Promise<Report> {
  const given = () => ({ ...process.env });
  loadEnvFile();
  const report: Report = {
    Node: checkNode(process.versions.node, wantedNode()),
    Configuration: [...(await checkPorts(given())), ...checkNames(given())],
  };
  const configuration = report["Configuration"] ?? [];
  if (configuration.some(({ level }) => level === "failure")) return report;
  const settings = readSettings();
  const secrets = readSecrets(settings.dataDirectory);
  if (!isSetUp(settings)) {
    configuration.push(
      failure("Nothing is set up here yet: there is no database.", "Start it by npm run up."),
    );
    return report;
  }
  const needed: DatabaseProgram[] = settings.ownService
    ? ["dashboard", "service"]
    : ["dashboard"];
  const databases = await openDatabases(settings.dataDirectory, needed);
  const program = dashboardProgram(settings, databases, secrets, null);
  const variables = { ...given(), ...program.environment };
  const service = settings.ownService
    ? { ...given(), ...serviceEnvironment(settings, databases, secrets) }
    : null;
  configuration.push(
    ...checkPrograms(variables, service),
    ...checkExposure(variables, settings.dataDirectory),
  );
  const pools = needed.map((name) => ({ name, pool: openForLook(databases.urls[name]) }));
  try {
    report["Database"] = await findingsOf(async () => [
      ...(await Promise.all(pools.map(({ name, pool }) => checkDatabase(name, pool)))).flat(),
      ...(await checkDisk(settings.dataDirectory)),
    ]);
    if (envProblems(variables).length > 0) return report;
    const isUsable = report["Database"].every(({ level }) => level !== "failure");
    const poolOf = (name: DatabaseProgram) =>
      (isUsable && pools.find((one) => one.name === name)?.pool) || null;
    const sealing = [
      secrets["SERVICE_SECRETS_KEY"],
      ...(process.env["SERVICE_SECRETS_KEY_OLD"] ?? "").split(","),
    ];
    await examineParts(report, {
      settings,
      variables,
      env: readEnv(variables),
      dashboard: poolOf("dashboard"),
      service: poolOf("service"),
      serviceSecretsKeys: sealing.flatMap((key) => (key ? [Buffer.from(key, "base64")] : [])),
    });
    return report;
  } finally {
    await Promise.all(pools.map(({ pool }) => pool.end()));
    await databases.server?.close();
  }
}

/** The doctor never creates the embedded database: the first start does. */
const isSetUp = ({ dataDirectory, ownService }: Settings) =>
  existsSync(join(dataDirectory, "postgres")) ||
  Boolean(process.env["DATABASE_URL"] && (!ownService || process.env["SERVICE_DATABASE_URL"]));

async function examineParts(report: Report, look: Look): Promise<void> {
  const checks: Record<string, () => Promise<Finding[]>> = {
    "Billing API": () => checkApis(look.env),
    Encryption: () => checkEncryption(look),
    Connections: () => checkConnections(look),
    "Public address": () => checkReceiver(look),
    Clocks: () => checkClocks(look),
    Jobs: () => checkJobs(look),
    Mail: () => checkMail(look.env),
    "Sign-in provider": () => checkProvider(look.env),
    Backups: () => checkBackups(join(ROOT, "backups"), new Date()),
  };
  for (const [title, check] of Object.entries(checks)) report[title] = await findingsOf(check);
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const report = await examine();
  const isSound = Object.values(report)
    .flat()
    .every(({ level }) => level !== "failure");
  if (values.json) console.log(JSON.stringify({ ok: isSound, findings: report }, null, 2));
  else printFindings(report);
  if (!isSound) process.exitCode = 1;
});
