import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "./command.ts";
import { expect } from "./seller.ts";
import { readSeed, runAdmin } from "./service-admin.ts";

export interface OwnProduct {
  url: string;
  output: () => string;
  stop: () => Promise<void>;
}

/**
 * A product with its own new data, connected to the billing service that the settings name, or with an
 * embedded one.
 */
export async function startOwnProduct(settings: Record<string, string>): Promise<OwnProduct> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-own-"));
  const [port = 0] = await freePorts(1);
  const command = startCommand("up.ts", {
    PORT: String(port),
    DATA_DIR: join(folder, "dashboard"),
    ...settings,
  });
  await command.printed("Duebook is ready.");
  return {
    url: `http://localhost:${port}`,
    output: command.output,
    stop: async () => {
      expect(await command.stop()).toBe(0);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface OwnService {
  url: string;
  /** The API key of the demonstration's seller in test mode. */
  key: string;
  stop: () => Promise<void>;
}

/** A separate billing service with the demonstration's data. */
export async function startOwnService(): Promise<OwnService> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-own-"));
  const [port = 0] = await freePorts(1);
  const settings = { SERVICE_PORT: String(port), DATA_DIR: folder };
  const command = startCommand("service.ts", settings);
  await command.printed("is ready");
  return {
    url: `http://localhost:${port}`,
    key: readSeed(await runAdmin(["seed", "--json"], settings)).key,
    stop: async () => {
      expect(await command.stop()).toBe(0);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
