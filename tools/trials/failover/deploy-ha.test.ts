import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { ENV_NAMES } from "#lib/env.ts";
import { CONFIG_NAMES } from "../../../service/config.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { fillPatroni, machineSettings } from "./machine.ts";

const deployed = (name: string) => readFileSync(join(ROOT, "deploy/ha", name), "utf8");

test("a primary keeps its lock while etcd is asked twice", () => {
  const [ttl, loop, retry] = ["ttl", "loop_wait", "retry_timeout"].map((name) =>
    Number(new RegExp(`^ +${name}: (\\d+)$`, "m").exec(deployed("patroni.yml"))?.[1]),
  );
  expect(Number(loop) + 2 * Number(retry)).toBeLessThanOrEqual(Number(ttl));
});

test("other clocks and the folders of one machine are filled in", () => {
  const filled = fillPatroni(deployed("patroni.yml"), "/data", {
    ttl: 9,
    loop_wait: 2,
    retry_timeout: 3,
  });
  expect(filled).toMatch(/^ {4}ttl: 9\n {4}loop_wait: 2\n {4}retry_timeout: 3$/m);
  expect(filled).toContain(`post_bootstrap: ${ROOT}/deploy/postgres-init.sh`);
  expect(filled).toContain("unix_socket_directories: /data");
});

test("each machine is named and found by its own address, and knows all three", async () => {
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
  "the settings of the %s exist, and none is a secret",
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
  for (const script of ["backup.sh", "restore.sh"])
    expect(statSync(join(ROOT, "deploy/ha", script)).mode & 0o111).toBe(0o111);
  const settings = await machineSettings(["10.9.0.7"], 0);
  expect(settings["PGBACKREST_PG1_PATH"]).toBe(settings["PATRONI_POSTGRESQL_DATA_DIR"]);
});
