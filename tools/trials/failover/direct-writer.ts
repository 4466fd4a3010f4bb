import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import { withConnection } from "./connection.ts";
import type { Machine } from "./machine.ts";

const INTERVAL = 250;

/**
 * Writes to each machine past HAProxy, as a program with an old address would. What a machine
 * acknowledges must be in the cluster afterwards: a former primary must accept nothing.
 */
export class DirectWriter {
  readonly #cluster: Cluster;
  readonly #acknowledged = new Set<string>();

  private constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  static async open(cluster: Cluster): Promise<DirectWriter> {
    await withConnection(cluster.url("postgres"), (client) =>
      client.query("create table direct_write (name text primary key)"),
    );
    return new DirectWriter(cluster);
  }

  async writeUntil(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#cluster.machines.map((machine) => this.#writeAt(machine, signal)));
  }

  async #writeAt(machine: Machine, signal: AbortSignal) {
    for (let number = 0; !signal.aborted;) {
      const over = withConnection(
        this.#cluster.directUrl("postgres", machine),
        async (client) => {
          for (; !signal.aborted; await delay(INTERVAL)) {
            const name = `${machine.name} ${(number += 1)}`;
            await client.query("insert into direct_write values ($1)", [name]);
            this.#acknowledged.add(name);
          }
        },
      );
      await Promise.race([over.catch(() => {}), once(signal, "abort")]);
      await delay(INTERVAL);
    }
  }

  /** The number of acknowledged writes, and of those that the cluster does not have. */
  async check(): Promise<{ acknowledged: number; lost: number }> {
    const acknowledged = [...this.#acknowledged];
    const rows = await withConnection(this.#cluster.url("postgres"), async (client) => {
      return (await client.query<{ name: string }>("select name from direct_write")).rows;
    });
    const stored = new Set(rows.map(({ name }) => name));
    return {
      acknowledged: acknowledged.length,
      lost: acknowledged.filter((name) => !stored.has(name)).length,
    };
  }
}
