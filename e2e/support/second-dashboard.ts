import { ensureSecrets } from "#scripts/process/secrets.ts";
import { openDatabases } from "#scripts/process/settings.ts";
import { freePorts, startCommand } from "./command.ts";
import { productOfWorker } from "./product.ts";
import { expect } from "./seller.ts";

interface SecondDashboard {
  url: string;
  stop: () => Promise<void>;
}

/** Another process of the dashboard over the same database and the same service. */
export async function startSecondDashboard(): Promise<SecondDashboard> {
  const { dataDirectory, billingUrl } = productOfWorker();
  const [port = 0] = await freePorts(1);
  const { urls, server } = await openDatabases(dataDirectory, ["dashboard"]);
  const { secrets } = await ensureSecrets(dataDirectory, { urls });
  const url = `http://localhost:${port}`;
  const command = startCommand("dashboard.ts", {
    ...secrets,
    HOST: "127.0.0.1",
    PORT: String(port),
    NODE_ENV: "production",
    TZ: "UTC",
    DATABASE_URL: urls.dashboard,
    BILLING_SANDBOX_API_URL: billingUrl,
    BILLING_SANDBOX_CHECKOUT_URL: billingUrl,
    NEXTAUTH_URL: url,
    MIRROR_WORKER: "elsewhere",
  });
  await expect
    .poll(async () => (await fetch(`${url}/healthz`).catch(() => null))?.status, {
      timeout: 60_000,
    })
    .toBe(200);
  return {
    url,
    stop: async () => {
      // Open streams must not delay the shutdown.
      expect(await command.stop("SIGTERM")).toBe(0);
      await server?.close();
    },
  };
}
