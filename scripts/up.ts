import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PUBLISHED_PASSWORD } from "#lib/auth/sessions/published-password.ts";
import { buildDashboard } from "./build.ts";
import { writeHistory } from "./demonstration/history.ts";
import type { HistoryChange } from "./demonstration/work.ts";
import { demonstrationPerson, passwordAdvice } from "./demonstration/account.ts";
import { CommandFailure, runCommand } from "./process/command.ts";
import {
  dashboardProgram,
  runServiceAdmin,
  serviceEnvironment,
  serviceHost,
  serviceProgram,
  type DemonstrationAccount,
} from "./process/programs.ts";
import { ensureSecrets } from "./process/secrets.ts";
import {
  openDatabases,
  readSettings,
  requireFreePort,
  type Settings,
} from "./process/settings.ts";
import { Supervisor } from "./process/supervise.ts";

/** Starts the database, the billing service and the dashboard; stays until a signal or one's end. */
async function up({ watch }: { watch: boolean }) {
  const settings = readSettings();
  const advice = passwordAdvice(process.env);
  if (advice) throw new CommandFailure(advice);
  await requireFreePort("PORT", settings.port, settings.host);
  if (settings.ownService)
    await requireFreePort("SERVICE_PORT", settings.servicePort, serviceHost());
  if (!watch) await buildDashboard();

  const databases = await openDatabases(settings.dataDirectory);
  if (databases.server?.borrowed)
    throw new CommandFailure(`another Duebook is running on ${settings.dataDirectory}.`);
  const supervisor = new Supervisor();
  try {
    const { secrets, note } = await ensureSecrets(settings.dataDirectory, databases);
    const environment = serviceEnvironment(settings, databases, secrets);
    if (settings.ownService)
      await supervisor.start(serviceProgram(settings, environment, { watch }));
    const { account, history } = addDemonstration(settings, environment);
    await supervisor.start(dashboardProgram(settings, databases, secrets, account, { watch }));
    if (history.length > 0)
      await supervisor.during((end) =>
        addHistory(settings, databases.urls.dashboard, history, end),
      );
    if (account.apiKeys.test) await writeFile(seededMark(settings), "");
    sayHello(settings, account, note);
    process.exitCode = await supervisor.wait(databases.server);
  } finally {
    await supervisor.stop();
    await databases.server?.close();
  }
}

const seededMark = ({ dataDirectory }: Settings) => join(dataDirectory, "demonstration-seeded");

/** Seeds the embedded service once and gives its API key to the dashboard. */
function addDemonstration(
  settings: Settings,
  environment: Record<string, string>,
): { account: DemonstrationAccount; history: HistoryChange[] } {
  const account: DemonstrationAccount = {
    ...demonstrationPerson(),
    account: null,
    apiKeys: {
      live: process.env["BILLING_API_KEY"] || null,
      test: process.env["BILLING_SANDBOX_API_KEY"] || null,
    },
  };
  const isSeeding =
    settings.ownService && settings.demonstration && !existsSync(seededMark(settings));
  if (account.apiKeys.test || !isSeeding) return { account, history: [] };
  console.log("Adding the demonstration data …");
  const words = ["seed", "--json", ...(settings.hasHistory ? ["--history"] : [])];
  const seeded = JSON.parse(runServiceAdmin(words, environment)) as {
    sellers: (Pick<DemonstrationAccount, "account"> & {
      keys: { key: string | null }[];
      history: HistoryChange[];
    })[];
  };
  const [main] = seeded.sellers;
  const test = main?.keys[0]?.key ?? null;
  return {
    account: {
      ...account,
      apiKeys: { ...account.apiKeys, test },
      account: main?.account ?? null,
    },
    history: main?.history ?? [],
  };
}

async function addHistory(
  { port }: Settings,
  url: string,
  history: HistoryChange[],
  end: AbortSignal,
): Promise<void> {
  const publicUrl = process.env["NEXTAUTH_URL"] || `http://localhost:${port}`;
  const { email } = demonstrationPerson();
  if (!(await writeHistory(url, { email, publicUrl, end }, history)))
    console.log("The demonstration has no history: it could not be added in time.");
}

function sayHello(settings: Settings, { email, password }: DemonstrationAccount, note: string) {
  const isOwn = password !== PUBLISHED_PASSWORD;
  const lines = [
    "Duebook is ready.",
    `  Open      http://localhost:${settings.port}`,
    ...(settings.demonstration
      ? [`  Sign in   ${email}`, `  Password  ${isOwn ? "DEMO_PASSWORD has it" : password}`]
      : []),
    ...Object.entries(settings.serviceUrls)
      .filter(([, url]) => url !== null)
      .map(([mode, url]) => `  Billing   ${url} (${mode} mode)`),
    `  Data      ${settings.dataDirectory}`,
    ...(note ? [`  ${note}`] : []),
    "  Ctrl-C stops everything.",
  ];
  console.log(`\n${lines.join("\n")}\n`);
}

await runCommand(() => up({ watch: process.argv.includes("--watch") }));
