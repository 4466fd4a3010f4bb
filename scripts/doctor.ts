import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { styleText } from "node:util";
import { envProblems, readEnv } from "#lib/env.ts";
import manifest from "../package.json" with { type: "json" };
import { checkApis, checkClocks, checkProvider } from "./doctor/api.ts";
import {
  checkExposure,
  checkNames,
  checkNode,
  checkPorts,
  checkPrograms,
} from "./doctor/configuration.ts";
import { checkConnections, checkReceiver } from "./doctor/connections.ts";
import { checkEtcd, checkPatroni, checkProxy } from "./doctor/cluster.ts";
import { checkDatabase, checkDisk, checkReplica, openCheckPool } from "./doctor/database.ts";
import {
  countWithNoun,
  failure,
  type Finding,
  type Level,
  type CheckedInstallation,
} from "./doctor/finding.ts";
import { checkEncryption } from "./doctor/keys.ts";
import { loadMachineSettings } from "./doctor/machine-settings.ts";
import { checkReadiness, type ListeningProgram } from "./doctor/readiness.ts";
import { checkBackups, checkJobs, checkMail } from "./doctor/work.ts";
import { readOptions, systemReasonOf, runCommand } from "./process/command.ts";
import { dashboardProgram, serviceEnvironment, serviceProgram } from "./process/programs.ts";
import { readSecrets } from "./process/secrets.ts";
import {
  type DatabaseName,
  loadEnvFile,
  openDatabases,
  readSettings,
  ROOT,
  type Settings,
} from "./process/settings.ts";

const HELP = `npm run doctor -- [--json] [--settings <folder>] [--backups <folder>]
Checks the configuration, the programs, the databases, the cluster, the billing API, keys, clocks, webhooks,
mail, jobs and backups, and says what is wrong and what to do. Changes no row; run it while Duebook runs.

  --settings  on one of three machines, as root: /etc/duebook, whose files name the programs and the cluster
  --backups   the folder of the backups; if it is left out, that of pgBackRest, or "backups"

The exit code is 1 if something keeps Duebook from working.`;

export type Report = Record<string, Finding[]>;

const { values } = readOptions({
  options: {
    json: { type: "boolean", default: false },
    settings: { type: "string" },
    backups: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

// Before loadEnvFile changes the working directory.
const namedBackups = values.backups === undefined ? null : resolve(values.backups);

function backupsFolder(): string {
  const { PGBACKREST_REPO1_PATH: repository, PGBACKREST_STANZA: stanza } = process.env;
  const archived = repository && stanza ? join(repository, "backup", stanza) : null;
  return namedBackups ?? archived ?? join(ROOT, "backups");
}

/** Runs a check. If it throws, that is reported as a finding and the other checks still run. */
async function findingsOf(check: () => Promise<Finding[]> | Finding[]): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const words = `The check failed: ${systemReasonOf(error).split("\n")[0]}.`;
    return [failure(words, "Correct that, then run the doctor again.")];
  }
}

const isFailure = ({ level }: Finding) => level === "failure";

async function examine(): Promise<Report> {
  const given = () => ({ ...process.env });
  const exposed = values.settings === undefined ? [] : loadMachineSettings(values.settings);
  loadEnvFile();
  const faults = [...(await checkPorts(given())), ...checkNames(given())];
  const configuration = [...exposed, ...faults];
  const report: Report = {
    Node: checkNode(process.versions.node, manifest.dependencies.node),
    Configuration: configuration,
  };
  if (faults.some(isFailure)) return report;
  const settings = readSettings();
  const secrets = readSecrets(settings.dataDirectory);
  if (!isSetUp(settings)) {
    configuration.push(
      failure("Nothing is set up here yet: there is no database.", "Start it: npm run up"),
    );
    return report;
  }
  const needed: DatabaseName[] = hasService(settings)
    ? ["dashboard", "service"]
    : ["dashboard"];
  const databases = await openDatabases(settings.dataDirectory, needed);
  const program = dashboardProgram(settings, databases, secrets, null);
  const variables = { ...given(), ...program.environment };
  const service = hasService(settings)
    ? { ...given(), ...serviceEnvironment(settings, databases, secrets) }
    : null;
  configuration.push(
    ...checkPrograms(variables, service),
    ...checkExposure(variables, settings.dataDirectory),
  );
  const listening: ListeningProgram[] = [
    ...(process.env["PORT"] ? [program] : []),
    ...(service ? [serviceProgram(settings, {})] : []),
  ];
  report["Programs"] = await checkReadiness(listening);
  const pools = needed.map((name) => ({ name, pool: openCheckPool(databases.urls[name]) }));
  try {
    report["Database"] = await findingsOf(async () => [
      ...(await Promise.all(pools.map(({ name, pool }) => checkDatabase(name, pool)))).flat(),
      ...(await checkReplica(variables["DATABASE_REPLICA_URL"])),
      ...(await checkDisk(settings.dataDirectory)),
    ]);
    report["Cluster"] = [
      ...(await checkPatroni(variables)),
      ...(await checkEtcd(variables)),
      ...(await checkProxy(variables)),
    ];
    if (envProblems(variables).length > 0) return report;
    const isUsable = !report["Database"].some(isFailure);
    const poolOf = (name: DatabaseName) =>
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

/** Whether the service runs here: the embedded service, or one with its own database. */
const hasService = ({ ownService }: Settings) =>
  ownService || Boolean(process.env["SERVICE_DATABASE_URL"]);

/** Whether there are databases, embedded or at the given URLs; the doctor never creates any. */
const isSetUp = ({ dataDirectory, ownService }: Settings) =>
  existsSync(join(dataDirectory, "postgres")) ||
  Boolean(process.env["DATABASE_URL"] && (!ownService || process.env["SERVICE_DATABASE_URL"]));

async function examineParts(report: Report, installation: CheckedInstallation): Promise<void> {
  const checks: Record<string, () => Promise<Finding[]>> = {
    "Billing API": () => checkApis(installation.env),
    Encryption: () => checkEncryption(installation),
    Connections: () => checkConnections(installation),
    "Public address": () => checkReceiver(installation),
    Clocks: () => checkClocks(installation),
    Jobs: () => checkJobs(installation),
    Mail: () => checkMail(installation.env),
    "Sign-in provider": () => checkProvider(installation.env),
    Backups: () => checkBackups(backupsFolder(), new Date()),
  };
  for (const [title, check] of Object.entries(checks)) report[title] = await findingsOf(check);
}

/** The word and sign of each severity, so that colour is never the only difference. */
const SIGNS = {
  ok: ["✓ ok", "green"],
  note: ["· note", "gray"],
  warning: ["! warning", "yellow"],
  failure: ["✗ FAILURE", "red"],
} as const satisfies Record<Level, unknown>;
const WIDTH = 11;

function printFindings(report: Report): void {
  for (const [title, findings] of Object.entries(report)) {
    console.log(`\n${styleText("bold", title, { stream: process.stdout })}`);
    for (const { level, words, remedy } of findings) {
      const [sign, color] = SIGNS[level];
      console.log(
        `  ${styleText(color, sign.padEnd(WIDTH), { stream: process.stdout })}${words}`,
      );
      if (remedy) console.log(`  ${" ".repeat(WIDTH)}→ ${remedy}`);
    }
  }
  const all = Object.values(report).flat();
  const count = (level: Level) => all.filter((one) => one.level === level).length;
  const [failures, warnings] = [count("failure"), count("warning")];
  console.log(
    failures + warnings === 0
      ? "\nNo problem was found."
      : `\n${countWithNoun(failures, "failure")}, ${countWithNoun(warnings, "warning")}.`,
  );
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const report = await examine();
  const isSound = !Object.values(report).flat().some(isFailure);
  if (values.json) console.log(JSON.stringify({ ok: isSound, findings: report }, null, 2));
  else printFindings(report);
  if (!isSound) process.exitCode = 1;
});
