import { runCommandLine } from "../admin/run.ts";

export interface AdminCommandResult {
  code: number;
  output: string;
  complaint: string;
}

export const adminEnvironment = (databaseUrl: string) => ({
  SERVICE_DATABASE_URL: databaseUrl,
  SERVICE_MODE: "test",
  SERVICE_SECRETS_KEY: Buffer.alloc(32, 7).toString("base64"),
});

export async function runAdmin(
  databaseUrl: string,
  words: string[],
  input?: unknown,
): Promise<AdminCommandResult> {
  const printed: string[] = [];
  const complaints: string[] = [];
  const code = await runCommandLine(words, {
    environment: adminEnvironment(databaseUrl),
    readInput: async () => (input === undefined ? "" : JSON.stringify(input)),
    print: (line) => printed.push(line),
    complain: (line) => complaints.push(line),
    progress: null,
  });
  return { code, output: printed.join("\n"), complaint: complaints.join("\n") };
}
