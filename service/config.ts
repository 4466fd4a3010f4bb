import * as z from "zod";
import { isLoopback } from "#contract/process/network.ts";
import type { RequestLimits } from "./http/authenticate.ts";

const Port = z.coerce.number().int().min(0).max(65535);

const SecretsKey = z
  .string()
  .transform((text) => Buffer.from(text, "base64"))
  .refine((key) => key.length === 32, "use 32 bytes in base64");

const SharedToken = z.string().regex(/^\S{32,}$/, "use 32 characters or more, without spaces");

/** The problem of a metrics setting of any of the three programs, or null. */
export const metricsProblem = (host: string, token: string | undefined) =>
  token || isLoopback(host)
    ? null
    : "set it: metrics that others can reach are for who knows it alone";

const Environment = z
  .object({
    SERVICE_DATABASE_URL: z.string({ error: "set it to the address of a PostgreSQL database" }),
    SERVICE_DATABASE_DIRECT_URL: z.string().optional(),
    SERVICE_PORT: Port.default(4000),
    SERVICE_HOST: z.string().default("127.0.0.1"),
    SERVICE_PUBLIC_URL: z
      .url({
        protocol: /^https?$/,
        error: "use an address that begins with http:// or https://",
      })
      .transform((url) => url.replace(/\/+$/, ""))
      .optional(),
    SERVICE_MODE: z.enum(["test", "live"], { error: "use test or live" }).default("test"),
    SERVICE_PRIVATE_TARGETS: z
      .enum(["allow", "refuse"], { error: "use allow or refuse" })
      .optional(),
    SERVICE_SECRETS_KEY: SecretsKey.optional(),
    SERVICE_SECRETS_KEY_OLD: z
      .string()
      .transform((text) => text.split(",").map((key) => Buffer.from(key, "base64")))
      .refine(
        (keys) => keys.every(({ length }) => length === 32),
        "use 32 bytes in base64 each",
      )
      .default([]),
    SERVICE_ACCOUNTS_TOKEN: SharedToken.optional(),
    SERVICE_OPERATOR_TOKEN: SharedToken.optional(),
    SERVICE_RATE_LIMIT: z.coerce.number().int().min(0).default(60_000),
    SERVICE_FAILED_KEY_LIMIT: z.coerce.number().int().min(0).default(600),
    SERVICE_MESSAGES_PER_HOUR: z.coerce.number().int().min(0).max(1_000_000).default(5_000),
    SERVICE_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
    SERVICE_METRICS_PORT: Port.optional(),
    SERVICE_WORKER_METRICS_PORT: Port.optional(),
    METRICS_TOKEN: z.string().min(16, "use 16 characters or more").optional(),
    SERVICE_WORKER: z
      .enum(["here", "elsewhere"], { error: "use here or elsewhere" })
      .default("here"),
    SERVICE_ABANDONED_HOURS: z.coerce.number().int().min(1).max(720).default(24),
    SERVICE_WEBHOOK_TIMEOUT: z.coerce.number().int().min(1).max(60).default(15),
    // At least five days, longer than the retry schedule of a delivery.
    SERVICE_DELIVERY_DAYS: z.coerce.number().int().min(5).max(3_650).default(30),
    SERVICE_LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
  })
  .superRefine((values, context) => {
    const { SERVICE_HOST, SERVICE_METRICS_PORT, SERVICE_WORKER_METRICS_PORT } = values;
    const isServed = SERVICE_METRICS_PORT ?? SERVICE_WORKER_METRICS_PORT;
    const problem =
      isServed !== undefined && metricsProblem(SERVICE_HOST, values.METRICS_TOKEN);
    if (problem)
      context.addIssue({ code: "custom", path: ["METRICS_TOKEN"], message: problem });
  });

export type Config = ReturnType<typeof readConfig>;

export const CONFIG_NAMES: readonly string[] = Object.keys(Environment.shape);

type Variables = Record<string, string | undefined>;

// An empty variable counts as unset: an empty limit must not mean "no limit".
const parse = (environment: Variables) =>
  Environment.safeParse(
    Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== "")),
  );

/** All problems of the configuration; each names the variable and repeats no value. */
export function configProblems(environment: Variables): string[] {
  const issues = parse(environment).error?.issues ?? [];
  return issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
}

/** @throws Error with a one-line message that names the variables and their problems */
export function readConfig(environment: Variables = process.env) {
  const parsed = parse(environment);
  if (!parsed.success) throw new Error(configProblems(environment).join("; "));
  const values = parsed.data;
  const publicUrl = values.SERVICE_PUBLIC_URL ?? `http://localhost:${values.SERVICE_PORT}`;
  const isOfThisMachine =
    isLoopback(values.SERVICE_HOST) &&
    isLoopback(new URL(publicUrl).hostname) &&
    values.SERVICE_TRUSTED_PROXIES === 0;
  return {
    databaseUrl: values.SERVICE_DATABASE_URL,
    /** The URL without a pooler, for LISTEN, migrations and connection settings (ADR 0192). */
    directUrl: values.SERVICE_DATABASE_DIRECT_URL ?? values.SERVICE_DATABASE_URL,
    port: values.SERVICE_PORT,
    host: values.SERVICE_HOST,
    /** The URL of the API and the checkout, without a trailing slash. */
    publicUrl,
    mode: values.SERVICE_MODE,
    /** Whether sandbox deliveries may reach this machine and its network (ADR 0224). */
    privateTargets:
      (values.SERVICE_PRIVATE_TARGETS ?? (isOfThisMachine ? "allow" : "refuse")) === "allow",
    logLevel: values.SERVICE_LOG_LEVEL,
    worker: values.SERVICE_WORKER,
    accountsToken: values.SERVICE_ACCOUNTS_TOKEN,
    operatorToken: values.SERVICE_OPERATOR_TOKEN,
    limits: {
      perKey: values.SERVICE_RATE_LIMIT,
      failedKeys: values.SERVICE_FAILED_KEY_LIMIT,
    } satisfies RequestLimits,
    /** The most messages of a seller in an hour, not counting codes; 0 for no limit (ADR 0240). */
    messagesPerHour: values.SERVICE_MESSAGES_PER_HOUR,
    /** Number of proxies in front of the service; only they may set the caller's address. */
    trustedProxies: values.SERVICE_TRUSTED_PROXIES,
    /**
     * Milliseconds without activity until a checkout counts as abandoned (spec choice, failed
     * payments).
     */
    abandonedAfter: values.SERVICE_ABANDONED_HOURS * 3_600_000,
    /** Milliseconds an endpoint has to answer a delivery (spec choice, retries). */
    webhookTimeout: values.SERVICE_WEBHOOK_TIMEOUT * 1_000,
    /** Milliseconds a finished delivery is kept, with its attempts (ADR 0051). */
    deliveriesKept: values.SERVICE_DELIVERY_DAYS * 86_400_000,
    metricsPort: values.SERVICE_METRICS_PORT,
    workerMetricsPort: values.SERVICE_WORKER_METRICS_PORT,
    /** Bearer token of the metrics; without one they are open, on loopback only. */
    metricsToken: values.METRICS_TOKEN,
    /** Encrypts signing secrets and providers' settings, 32 bytes; without it none can be stored. */
    secretsKey: values.SERVICE_SECRETS_KEY,
    oldSecretsKeys: values.SERVICE_SECRETS_KEY_OLD,
  };
}

/**
 * The configuration of a separate worker. It cannot know whether other machines reach the service,
 * so it allows private targets only if the variable does.
 */
export const readWorkerConfig = (environment: Variables = process.env): Config => ({
  ...readConfig(environment),
  privateTargets: environment["SERVICE_PRIVATE_TARGETS"] === "allow",
});
