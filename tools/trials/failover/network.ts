import { spawnSync } from "node:child_process";
import { CommandFailure } from "#scripts/process/command.ts";
import { runSystem } from "../../programs.ts";

const BRIDGE = "duebook-ha";
const SUBNET = "10.213.7";
const namespaceOf = (index: number) => `${BRIDGE}-${index + 1}`;
const linkOf = (index: number) => `dbk-ha-${index + 1}`;

/** Machines as network namespaces of this machine, joined by a bridge. Needs root on Linux. */
export class MachineNetwork {
  readonly addresses: string[];

  private constructor(machines: number) {
    this.addresses = Array.from({ length: machines }, (_, index) => `${SUBNET}.${11 + index}`);
  }

  static open(machines: number): MachineNetwork {
    const network = new MachineNetwork(machines);
    if (network.addresses.some((_, index) => network.processesOn(index).length > 0))
      throw new CommandFailure("a cluster is running on this machine already.");
    // Removes what a killed run left behind.
    network.close();
    ip("link", "add", BRIDGE, "type", "bridge");
    ip("address", "add", `${SUBNET}.1/24`, "dev", BRIDGE);
    ip("link", "set", BRIDGE, "up");
    for (const [index, address] of network.addresses.entries()) {
      const [name, link] = [namespaceOf(index), linkOf(index)];
      ip("netns", "add", name);
      ip("link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", name);
      ip("link", "set", link, "master", BRIDGE, "up");
      ip("-n", name, "address", "add", `${address}/24`, "dev", "eth0");
      for (const device of ["eth0", "lo"]) ip("-n", name, "link", "set", device, "up");
    }
    return network;
  }

  /** The command that runs a program on the machine. */
  commandOn(index: number, ...program: string[]): [string, ...string[]] {
    return ["ip", "netns", "exec", namespaceOf(index), ...program];
  }

  /** Cuts the machine off from the others; the programs on this machine still reach it. */
  cut(index: number): void {
    this.#route("add", index);
  }

  mend(index: number): void {
    this.#route("delete", index);
  }

  #route(verb: "add" | "delete", index: number) {
    for (const [other, address] of this.addresses.entries())
      if (other !== index)
        ip("-n", namespaceOf(index), "route", verb, "blackhole", `${address}/32`);
  }

  /** The ids of all processes on the machine. */
  processesOn(index: number): number[] {
    const { stdout } = spawnSync("ip", ["netns", "pids", namespaceOf(index)], {
      encoding: "utf8",
    });
    return stdout.split("\n").filter(Boolean).map(Number);
  }

  close(): void {
    spawnSync("ip", ["link", "delete", BRIDGE]);
    for (const index of this.addresses.keys()) {
      spawnSync("ip", ["link", "delete", linkOf(index)]);
      spawnSync("ip", ["netns", "delete", namespaceOf(index)]);
    }
  }
}

const ip = (...words: string[]) => runSystem("ip", ...words);
