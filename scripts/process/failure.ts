/** An expected end of a command: printed as one line, never as a stack trace. */
export class Failure extends Error {}

/** Runs a command's main function; a Failure, or a wrong option, becomes one line and exit code 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof Failure) && !isOfOptions(error)) throw error;
    console.error(`duebook: ${error.message}`);
    process.exitCode = 1;
  }
}

/** Whether the options of a command were wrong, in words of Node's. */
export const isOfOptions = (error: unknown): error is Error =>
  error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");

/** The system's short reason ("permission denied"), for a Failure's sentence. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known: Record<string, string> = {
    EACCES: "permission denied",
    EPERM: "permission denied",
    EROFS: "the file system is read-only",
    ENOSPC: "the disk is full",
    ENOTDIR: "a part of the path is a file",
    ECONNREFUSED: "nothing answers there",
    ENOENT: "there is nothing at that path",
    ENOTFOUND: "the host name is unknown",
    "28P01": "the password is wrong",
    "28000": "the user is not allowed in",
    "3D000": "the database does not exist",
  };
  return known[code] ?? (error instanceof Error ? error.message : String(error));
}
