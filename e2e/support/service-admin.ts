import { openDatabases } from "#scripts/process/settings.ts";
import { ensureSecrets } from "#scripts/process/secrets.ts";
import { runCommandLine } from "../../service/admin/run.ts";

/**
 * Runs a command of the billing service's command line in this process, which is much quicker
 * than starting another.
 * @param environment DATA_DIR, and SERVICE_MODE if it is live
 * @param input what some commands read from standard input
 * @returns what it printed
 */
export async function runAdmin(
  words: string[],
  environment: { DATA_DIR: string; SERVICE_MODE?: string },
  input = "",
): Promise<string> {
  const databases = await openDatabases(environment.DATA_DIR, ["service"]);
  const printed: string[] = [];
  const complaints: string[] = [];
  try {
    const { secrets } = await ensureSecrets(environment.DATA_DIR, databases);
    const code = await runCommandLine(words, {
      environment: {
        ...environment,
        SERVICE_DATABASE_URL: databases.urls.service,
        SERVICE_SECRETS_KEY: secrets["SERVICE_SECRETS_KEY"],
      },
      readInput: async () => input,
      print: (line) => printed.push(line),
      complain: (line) => complaints.push(line),
      progress: null,
    });
    if (code !== 0) throw new Error(`service:admin failed: ${complaints.join("\n")}`);
  } finally {
    await databases.server?.close();
  }
  return printed.join("\n");
}

/** The main seller's active key from the output of `seed --json`. */
export function readSeed(json: string): { key: string } {
  const { sellers } = JSON.parse(json) as {
    sellers: { keys: { key: string; state: string }[] }[];
  };
  const key = sellers[0]?.keys.find((one) => one.state === "active")?.key;
  if (!key) throw new Error("the seed printed no active key");
  return { key };
}
