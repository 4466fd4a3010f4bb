import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { ENV_NAMES } from "#lib/env.ts";
import { CONFIG_NAMES } from "../../../service/config.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { fillPatroni, machineSettings } from "./machine.ts";

const deployed = (name: string) => readFileSync(join(ROOT, "deploy/ha", name), "utf8");

test("the primary's lock in etcd lasts longer than two attempts to reach etcd", () => {
  const [ttl, loop, retry] = ["ttl", "loop_wait", "retry_timeout"].map((name) =>
    Number(new RegExp(`^ +${name}: (\\d+)$`, "m").exec(deployed("patroni.yml"))?.[1]),
  );
  expect(Number(loop) + 2 * Number(retry)).toBeLessThanOrEqual(Number(ttl));
});

test("for the trial Patroni's deployed settings get shorter intervals and the folders of one machine", () => {
  const filled = fillPatroni(deployed("patroni.yml"), "/data", {
    ttl: 8,
    loop_wait: 1,
    retry_timeout: 3,
  });
  expect(filled).toMatch(/^ {4}ttl: 8\n {4}loop_wait: 1\n {4}retry_timeout: 3$/m);
  expect(filled).toContain(`post_bootstrap: ${ROOT}/deploy/postgres-init.sh`);
  expect(filled).toContain("unix_socket_directories: /data");
});

test("each machine of a cluster has its own name and address, and knows the addresses of all three", async () => {
  const addresses = ["10.9.0.7", "10.9.0.8", "10.9.0.9"];
  const second = await machineSettings(addresses, 1);
  expect(second).toMatchObject({
    NODE_1: "10.9.0.7",
    NODE_3: "10.9.0.9",
    ETCD_NAME: "machine-2",
    PATRONI_NAME: "machine-2",
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: "10.9.0.8:5432",
    ETCD_INITIAL_ADVERTISE_PEER_URLS: "http://10.9.0.8:2380",
    PATRONI_ETCD_HOSTS: "10.9.0.7:2379,10.9.0.8:2379,10.9.0.9:2379",
  });
  expect(second["ETCD_INITIAL_CLUSTER"]).toContain("machine-3=http://10.9.0.9:2380");
});

test.each(["service", "service-worker", "dashboard", "dashboard-worker"])(
  "the settings of the %s exist, and none of them is a secret",
  (name) => {
    const settings = parseEnv(deployed(`${name}.env`));
    const names = Object.keys(settings);
    const program = settings["PROGRAM"]?.split(" ").at(-1) ?? "";
    expect(existsSync(join(ROOT, program))).toBe(true);
    const known = new Set<string>([...ENV_NAMES, ...CONFIG_NAMES, "PROGRAM", "HOST", "PORT"]);
    expect(names.filter((key) => !known.has(key))).toEqual([]);
    expect(names.filter((key) => /SECRET|TOKEN|PASSWORD|KEY|DATABASE/.test(key))).toEqual([]);
  },
);

test("the nightly backup runs a program of deploy/ha, and saves the folder that Patroni fills", async () => {
  const command = /^ExecStart=\/opt\/duebook\/(.+)$/m.exec(
    deployed("duebook-backup.service"),
  )?.[1];
  expect(command).toBe("deploy/ha/backup.sh");
  for (const script of ["pgbackrest-push.sh", "backup.sh", "restore.sh", "create-slots.sh"])
    expect(statSync(join(ROOT, "deploy/ha", script)).mode & 0o111).toBe(0o111);
  const settings = await machineSettings(["10.9.0.7"], 0);
  expect(settings["PGBACKREST_PG1_PATH"]).toBe(settings["PATRONI_POSTGRESQL_DATA_DIR"]);
});

const DIFFERENT_CONTENT = 45;
const OUT_OF_SPACE = 82;

test.each([
  ["a file that is archived", "0000000A0000000000000007", 0, 0],
  ["another end of a timeline that is over", "000000090000000000000006", DIFFERENT_CONTENT, 0],
  ["its last part", "000000090000000000000006.partial", DIFFERENT_CONTENT, 0],
  [
    "other content on the timeline that goes on",
    "0000000A0000000000000007",
    DIFFERENT_CONTENT,
    DIFFERENT_CONTENT,
  ],
  [
    "a file for which there is no space",
    "000000090000000000000006",
    OUT_OF_SPACE,
    OUT_OF_SPACE,
  ],
])(
  "archiving %s ends with the exit code that PostgreSQL needs",
  async (_what, file, pushed, code) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "duebook-test-"));
    const pushes = `#!/bin/sh\n[ "$*" = "archive-push ${folder.path}/${file}" ] && exit ${pushed}\n`;
    await writeFile(join(folder.path, "pgbackrest"), pushes, { mode: 0o755 });
    for (const timeline of ["00000002", "0000000A"])
      await writeFile(join(folder.path, `${timeline}.history`), "");
    const { status } = spawnSync(
      join(ROOT, "deploy/ha/pgbackrest-push.sh"),
      [join(folder.path, file)],
      { env: { ...process.env, PATH: `${folder.path}:${process.env["PATH"]}` } },
    );
    expect(status).toBe(code);
  },
);

test("a replica is promoted even if its replication slots cannot be created", async () => {
  const script = /pre_promote: \/opt\/duebook\/(\S+)/.exec(deployed("patroni.yml"))?.[1] ?? "";
  await using folder = await mkdtempDisposable(join(tmpdir(), "duebook-test-"));
  const asked = join(folder.path, "asked");
  await writeFile(join(folder.path, "psql"), `#!/bin/sh\ncat > ${asked}\nexit 2\n`, {
    mode: 0o755,
  });
  const { status } = spawnSync(join(ROOT, script), {
    env: {
      ...process.env,
      ...(await machineSettings(["10.9.0.7", "10.9.0.8", "10.9.0.9"], 1)),
      REPLICA_PASSWORD: "word",
      PATH: `${folder.path}:${process.env["PATH"]}`,
    },
  });
  expect(readFileSync(asked, "utf8")).toContain("pg_create_physical_replication_slot");
  expect(status).toBe(0);
});
