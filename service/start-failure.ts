import { logLineOf } from "#contract/process/log.ts";

export const messageOf = (error: unknown) =>
  error instanceof Error ? error.message : String(error);

/** Reports a failed start of that program in one line, without a stack trace. */
export function startFailure(program: string) {
  const fail = (message: string): never => {
    process.stderr.write(`${logLineOf({ program, level: "fatal" }, message)}\n`);
    process.exit(1);
  };
  return {
    fail,
    cannotMigrate: (error: unknown) =>
      fail(
        `the database of SERVICE_DATABASE_URL cannot be used: ${messageOf(error) || "nothing answers"}`,
      ),
    cannotListen: (variable: string, port: number) => (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "EADDRINUSE"
          ? `port ${port} is taken. Set ${variable} to a free one.`
          : `cannot listen on port ${port} (${variable}): ${messageOf(error)}`,
      ),
  };
}
