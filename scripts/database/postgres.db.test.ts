import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { copyFolderAtomically } from "./postgres-home.ts";
import { startPostgres } from "./postgres.ts";

const LAUNCHER = join(import.meta.dirname, "postgres.ts");

describe("the embedded PostgreSQL server", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "duebook-postgres-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = () => startPostgres(folder, { durable: false });

  /** Another process that starts the server and then stays, as a running Duebook does. */
  async function startElsewhere() {
    const program = `
      const { startPostgres } = await import(${JSON.stringify(LAUNCHER)});
      const server = await startPostgres(${JSON.stringify(folder)}, { durable: false });
      console.log("started");
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    return child;
  }

  async function ask(url: string, text: string): Promise<unknown> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ answer: unknown }>(text);
    await client.end();
    return rows[0]?.answer;
  }

  it("keeps its data over a restart in folders that only its user can read, and listens on no network address", async () => {
    const first = await start();
    await first.ensureDatabase("kept");
    await ask(first.url("kept"), "create table note as select 'here' as answer");
    await first.close();
    const second = await start();
    await second.ensureDatabase("kept");
    expect(await ask(second.url("kept"), "select answer from note")).toBe("here");
    const listening = "select current_setting('listen_addresses') as answer";
    expect(await ask(second.url("kept"), listening)).toBe("");
    await second.close();
    for (const path of ["postgres", "postgres/cluster"])
      expect((await stat(join(folder, path))).mode & 0o077, path).toBe(0);
    expect((await stat(join(folder, "postgres/password"))).mode & 0o777).toBe(0o600);
  });

  it("is adopted by the next start if its launcher was killed, and stopped when that start ends", async () => {
    const launcher = await startElsewhere();
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    const server = await start();
    expect(server.borrowed).toBe(false);
    await server.close();
    await expect(ask(server.url("postgres"), "select 1")).rejects.toThrow();
  });

  it("is shared by a second start while its launcher runs, and keeps running when the second start ends", async () => {
    const launcher = await startElsewhere();
    const server = await start();
    expect(server.borrowed).toBe(true);
    await server.close();
    expect(await ask(server.url("postgres"), "select 1 as answer")).toBe(1);
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await (await start()).close();
  });

  it("is reported, within the given time, if it runs but does not answer", async () => {
    const launcher = await startElsewhere();
    const file = await readFile(join(folder, "postgres/cluster/postmaster.pid"), "utf8");
    const pid = Number(file.split("\n")[0]);
    process.kill(pid, "SIGSTOP");
    try {
      await expect(
        startPostgres(folder, { durable: false, readyWithinMs: 3_000 }),
      ).rejects.toThrow(
        new RegExp(
          `^a database server \\(process ${pid}\\) holds .* but has not answered for 3 seconds\\.$`,
        ),
      );
    } finally {
      process.kill(pid, "SIGCONT");
      launcher.kill("SIGKILL");
      await once(launcher, "exit");
    }
    await (await start()).close();
  });

  it("is adopted even if another program now has the process id of its killed launcher", async () => {
    const launcher = await startElsewhere();
    const file = join(folder, "postgres/launcher.pid");
    const words = await readFile(file, "utf8");
    launcher.kill("SIGKILL");
    await once(launcher, "exit");
    await writeFile(file, words.replace(String(launcher.pid), String(process.ppid)));
    const server = await start();
    expect(server.borrowed).toBe(false);
    await server.close();
  });

  it("starts after an interrupted creation, and despite a pid file with the process id of another program", async () => {
    await mkdir(join(folder, "postgres/cluster.half"), { recursive: true });
    await writeFile(join(folder, "postgres/cluster.half/PG_VERSION"), "18");
    await (await start()).close();
    await writeFile(join(folder, "postgres/cluster/postmaster.pid"), `${process.pid}\n`);
    const server = await start();
    expect(await ask(server.url("postgres"), "select 1 as answer")).toBe(1);
    await server.close();
  });

  it("starts anew if its pid file names the running server of another folder", async () => {
    const other = await mkdtemp(join(tmpdir(), "duebook-postgres-"));
    const running = await startPostgres(other, { durable: false });
    try {
      await (await start()).close();
      const pid = (
        await readFile(join(other, "postgres/cluster/postmaster.pid"), "utf8")
      ).split("\n")[0];
      for (const file of ["cluster/postmaster.pid", ".s.PGSQL.5432.lock"])
        await writeFile(join(folder, "postgres", file), `${pid}\n`);
      const server = await start();
      expect(server.borrowed).toBe(false);
      await server.close();
      expect(await ask(running.url("postgres"), "select 1 as answer")).toBe(1);
    } finally {
      await running.close();
      await rm(other, { recursive: true, force: true });
    }
  });

  it("reports that its programs could not be copied, and leaves no partial copy", async () => {
    const [source, target] = [join(folder, "programs"), join(folder, "copies/18")];
    await mkdir(source);
    await writeFile(join(source, "initdb"), "");
    // Copying fails at a pipe.
    expect(spawnSync("mkfifo", [join(source, "pipe")]).status).toBe(0);
    await expect(copyFolderAtomically(source, target)).rejects.toThrow(
      /^cannot copy PostgreSQL to .*: /,
    );
    expect(await readdir(join(folder, "copies"))).toEqual([]);
    await rm(join(source, "pipe"));
    await copyFolderAtomically(source, target);
    expect(await readdir(target)).toEqual(["initdb"]);
  });

  it("reports that its data folder cannot be used", async () => {
    await writeFile(join(folder, "postgres"), "a file in the way");
    await expect(start()).rejects.toThrow(/^cannot keep data in .*: /);
  });
});
