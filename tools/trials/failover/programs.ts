import { randomBytes } from "node:crypto";
import { freePorts } from "../../../e2e/support/command.ts";
import { ManagedProcess } from "../topology/managed-process.ts";
import { isReady } from "../topology/start.ts";
import type { Cluster } from "./cluster.ts";

export interface Programs {
  service: string;
  dashboard: string;
  processes: ManagedProcess[];
  close: () => Promise<void>;
}

/** Starts a service and a dashboard, each with its worker, that use a cluster. */
export async function startPrograms(
  cluster: Cluster,
  folder: string,
  account: Record<string, string> = {},
): Promise<Programs> {
  const [servicePort = 0, dashboardPort = 0] = await freePorts(2);
  const service = `http://127.0.0.1:${servicePort}`;
  const dashboard = `http://127.0.0.1:${dashboardPort}`;
  const secret = () => randomBytes(32).toString("base64");
  const processes = [
    new ManagedProcess(
      {
        name: "service",
        node: ["service/main.ts"],
        environment: {
          SERVICE_DATABASE_URL: cluster.url("service"),
          SERVICE_SECRETS_KEY: secret(),
          SERVICE_PORT: String(servicePort),
          SERVICE_PRIVATE_TARGETS: "allow",
          SERVICE_RATE_LIMIT: "0",
          SERVICE_LOG_LEVEL: "warn",
        },
        isReady: () => isReady(servicePort),
      },
      folder,
    ),
    new ManagedProcess(
      {
        name: "dashboard",
        node: ["scripts/dashboard.ts"],
        environment: {
          DATABASE_URL: cluster.url("dashboard"),
          DATABASE_REPLICA_URL: cluster.url("dashboard", "replica"),
          NEXTAUTH_SECRET: secret(),
          API_KEY_ENCRYPTION_KEY: secret(),
          NEXTAUTH_URL: dashboard,
          BILLING_SANDBOX_API_URL: service,
          HOST: "127.0.0.1",
          PORT: String(dashboardPort),
          ...account,
        },
        isReady: () => isReady(dashboardPort),
      },
      folder,
    ),
  ];
  const close = async () => {
    await Promise.all(processes.map((managed) => managed.end()));
  };
  try {
    for (const managed of processes) await managed.start();
  } catch (error) {
    await close();
    throw error;
  }
  return { service, dashboard, processes, close };
}
