import { rename, rm, writeFile } from "node:fs/promises";

/** Writes a file readable by its owner only, by rename: a partial file would be read as complete. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const half = `${file}.half`;
  try {
    await writeFile(half, text, { mode: 0o600, flush: true });
    await rename(half, file);
  } catch (error) {
    await rm(half, { force: true });
    throw error;
  }
}
