import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeFileAtomically } from "./files.ts";

const MODULE = join(import.meta.dirname, "files.ts");

test("a failed atomic write leaves the old file unchanged and no partial file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "duebook-whole-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "secrets.json");
  await writeFileAtomically(file, "the old one");
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  const program = `
    const { writeFileAtomically } = await import(${JSON.stringify(MODULE)});
    await writeFileAtomically(${JSON.stringify(file)}, "x".repeat(1_000_000)).catch(({ code }) => console.log(code));`;
  const { stdout } = spawnSync(
    "sh",
    [
      "-c",
      'trap "" XFSZ; ulimit -f 1; exec "$0" --input-type=module --eval "$1"',
      process.execPath,
      program,
    ],
    { encoding: "utf8" },
  );
  expect(stdout.trim()).toBe("EFBIG");
  expect(await readFile(file, "utf8")).toBe("the old one");
  expect(await readdir(folder)).toEqual(["secrets.json"]);
});
