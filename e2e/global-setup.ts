import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts, startCommand } from "./command.ts";

/** One whole product for the run, started by the README's own command on an empty folder. */
export default async function setup() {
  // While writing a journey: DUEBOOK_URL and BILLING_URL of a product that runs already.
  if (process.env["DUEBOOK_URL"]) return;
  const dataDirectory = await mkdtemp(join(tmpdir(), "duebook-e2e-"));
  const [port = 0, servicePort = 0] = await freePorts(2);
  const product = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(servicePort),
    DATA_DIR: join(dataDirectory, ".data"),
  });
  await product.printed("Duebook is ready.");
  process.env["DUEBOOK_URL"] = `http://localhost:${port}`;
  process.env["BILLING_URL"] = `http://localhost:${servicePort}`;
  process.env["DUEBOOK_DATA_DIR"] = join(dataDirectory, ".data");

  return async () => {
    const code = await product.stop();
    await rm(dataDirectory, { recursive: true, force: true });
    if (code !== 0) throw new Error(`npm run up ended with ${code}:\n${product.output()}`);
    if (/dbk_(test|live)_|\b98\d{8}\b/.test(product.output()))
      throw new Error("the log of the run holds an API key or a phone number");
  };
}
