import { mkdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode } from "#contract/process/log.ts";

/**
 * Creates a folder and its parents. Node's own `recursive` never returns under /proc, where nothing
 * can be created.
 */
export async function ensureDirectory(path: string, mode: number): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    // The trailing dot makes this fail with the system's own reason if a file has that name.
    if (errorCode(error) === "EEXIST") return void (await stat(`${path}/.`));
    if (errorCode(error) !== "ENOENT" || dirname(path) === path) throw error;
    await ensureDirectory(dirname(path), mode);
    await mkdir(path, { mode });
  }
}

/** Writes a file readable by its owner only, by rename: a partial file would be read as complete. */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
  const half = `${file}.half`;
  try {
    await writeFile(half, text, { mode: 0o600, flush: true });
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}
