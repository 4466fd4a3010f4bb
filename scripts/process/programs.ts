import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isReachableByOthers } from "#lib/exposure.ts";
import { CommandFailure } from "./command.ts";
import { ROOT, type Databases, type Settings } from "./settings.ts";
import type { SupervisedProgram } from "./supervise.ts";

type Secrets = Record<string, string>;

/** Tracing is loaded only if the standard OpenTelemetry variable names an endpoint. */
const tracingArguments = () =>
  process.env["OTEL_EXPORTER_OTLP_ENDPOINT"]
    ? ["--import", pathToFileURL(join(ROOT, "scripts/process/tracing.ts")).href]
    : [];

const reachable = (host: string) => (host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host);

export function serviceEnvironment(
  settings: Settings,
  databases: Databases,
  secrets: Secrets,
): Record<string, string> {
  // Users of a public dashboard could make the sandbox post to private addresses.
  const isOpen = isReachableByOthers({
    HOST: settings.host,
    NEXTAUTH_URL: process.env["NEXTAUTH_URL"],
    TRUSTED_PROXIES: process.env["TRUSTED_PROXIES"],
  });
  return {
    SERVICE_DATABASE_URL: databases.urls.service,
    SERVICE_PORT: String(settings.servicePort),
    SERVICE_SECRETS_KEY: secrets["SERVICE_SECRETS_KEY"] ?? "",
    SERVICE_ACCOUNTS_TOKEN: secrets["SERVICE_ACCOUNTS_TOKEN"] ?? "",
    SERVICE_PRIVATE_TARGETS: process.env["SERVICE_PRIVATE_TARGETS"] || (isOpen ? "refuse" : ""),
    SERVICE_LOG_LEVEL: process.env["SERVICE_LOG_LEVEL"] || "warn",
  };
}

export const serviceHost = () => process.env["SERVICE_HOST"] || "127.0.0.1";

export function serviceProgram(
  settings: Settings,
  environment: Record<string, string>,
  { watch = false } = {},
): SupervisedProgram {
  const host = reachable(serviceHost());
  return {
    name: "billing service",
    command: [
      ...(watch ? ["--watch", "--watch-preserve-output"] : []),
      ...tracingArguments(),
      join(ROOT, "service/main.ts"),
    ],
    environment,
    healthUrl: `http://${host}:${settings.servicePort}/healthz`,
  };
}

export interface DemonstrationAccount {
  email: string;
  password: string;
  apiKeys: { live: string | null; test: string | null };
  /** The seller's own account at the service of test mode, if it was just seeded. */
  account: { id: number; token: string } | null;
}

export function dashboardProgram(
  settings: Settings,
  databases: Databases,
  secrets: Secrets,
  account: DemonstrationAccount | null,
  { watch = false } = {},
): SupervisedProgram {
  const { host, port } = settings;
  return {
    name: "dashboard",
    command: watch
      ? [
          join(ROOT, "node_modules/next/dist/bin/next"),
          "dev",
          `--port=${port}`,
          `--hostname=${host}`,
        ]
      : [...tracingArguments(), join(ROOT, "scripts/dashboard.ts")],
    environment: {
      ...secrets,
      HOST: host,
      PORT: String(port),
      NODE_ENV: watch ? "development" : "production",
      DATABASE_URL: databases.urls.dashboard,
      BILLING_API_URL: settings.serviceUrls.live ?? "",
      BILLING_SANDBOX_API_URL: settings.serviceUrls.test ?? "",
      ...(settings.ownService && {
        BILLING_SANDBOX_ACCOUNTS_TOKEN: secrets["SERVICE_ACCOUNTS_TOKEN"] ?? "",
        BILLING_SANDBOX_CHECKOUT_URL:
          process.env["SERVICE_PUBLIC_URL"] || (settings.serviceUrls.test ?? ""),
      }),
      NEXTAUTH_URL: process.env["NEXTAUTH_URL"] || `http://localhost:${port}`,
      NEXT_TELEMETRY_DISABLED: "1",
      ...(account && {
        DEMO_EMAIL: account.email,
        DEMO_PASSWORD: account.password,
        DEMO_SELLER_NAME: process.env["DEMO_SELLER_NAME"] || "Phewa Home Services",
        BILLING_API_KEY: account.apiKeys.live ?? "",
        BILLING_SANDBOX_API_KEY: account.apiKeys.test ?? "",
        ...(account.account && {
          DEMO_ACCOUNT_ID: String(account.account.id),
          DEMO_ACCOUNT_TOKEN: account.account.token,
        }),
      }),
    },
    healthUrl: `http://${reachable(host)}:${port}/healthz`,
  };
}

/** Runs the service's command line and returns its output. @throws CommandFailure with its message. */
export function runServiceAdmin(
  arguments_: string[],
  environment: Record<string, string>,
): string {
  const ran = spawnSync(process.execPath, [join(ROOT, "service/admin.ts"), ...arguments_], {
    env: { ...process.env, TZ: "UTC", ...environment },
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (ran.status !== 0)
    throw new CommandFailure(ran.stderr.trim().split("\n").at(-1) ?? "the seed failed.");
  return ran.stdout;
}
