import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FullConfig } from "@playwright/test";
import { buildDashboard } from "../scripts/build.ts";
import { freePorts, startCommand } from "./support/command.ts";
import { findSecrets } from "./support/secret-search.ts";
import { publishProducts, runningProduct, type Product } from "./support/product.ts";

/** Starts a whole product for each worker by the README's own command in an empty folder. */
export default async function setup({ workers }: Pick<FullConfig, "workers">) {
  if (runningProduct()) return;
  // Built before the products start, so that none of them builds it.
  await buildDashboard();
  // All at once, because two separate choices could return the same free port.
  const ports = await freePorts(2 * workers);
  const started = await Promise.all(
    Array.from({ length: workers }, (_worker, at) => startProduct(ports.slice(2 * at))),
  );
  publishProducts(started.map(({ product }) => product));

  return async () => {
    await Promise.all(started.map(endProduct));
  };
}

interface Started {
  folder: string;
  product: Product;
  command: ReturnType<typeof startCommand>;
}

async function startProduct([port = 0, servicePort = 0]: number[]): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), "duebook-e2e-"));
  const dataDirectory = join(folder, ".data");
  const command = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: dataDirectory,
    // The plain demonstration has no payments yet; demonstration.spec.ts tests the full one.
    DEMONSTRATION: "plain",
  });
  await command.printed("Duebook is ready.");
  const [url, billingUrl] = [`http://localhost:${port}`, `http://localhost:${servicePort}`];
  return { folder, command, product: { url, billingUrl, dataDirectory } };
}

/** Stops a product, and searches its folder and log for secrets. */
async function endProduct({ folder, product, command }: Started) {
  const found = await findSecrets(product.dataDirectory, command.output());
  const code = await command.stop();
  await rm(folder, { recursive: true, force: true });
  if (code !== 0) throw new Error(`npm run up ended with ${code}:\n${command.output()}`);
  if (/dbk_(test|live)_|\b9[78]\d{8}\b/.test(command.output()))
    throw new Error("the log of the run holds an API key or a phone number");
  if (found.length > 0)
    throw new Error(`secrets were found in clear text:\n${found.join("\n")}`);
}
