import { rename, rm, writeFile } from "node:fs/promises";

/** For its owner alone, all of it or nothing: half of it would be taken for the whole. */
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
