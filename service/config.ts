import * as z from "zod";
import type { Limits } from "./http/authenticate.ts";

const Environment = z.object({
  SERVICE_DATABASE_URL: z
    .string({ error: "set it to the address of a PostgreSQL database" })
    .min(1),
  SERVICE_PORT: z.coerce.number().int().min(0).max(65535).default(4000),
  SERVICE_HOST: z.string().min(1).default("127.0.0.1"),
  SERVICE_PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: "use an address that begins with http:// or https://" })
    .transform((url) => url.replace(/\/+$/, ""))
    .optional(),
  SERVICE_MODE: z.enum(["test", "live"], { error: "use test or live" }).default("test"),
  SERVICE_SECRETS_KEY: z
    .string()
    .transform((text) => (text === "" ? undefined : Buffer.from(text, "base64")))
    .refine((key) => key === undefined || key.length === 32, "use 32 bytes in base64")
    .optional(),
  SERVICE_RATE_LIMIT: z.coerce.number().int().min(0).default(60_000),
  SERVICE_FAILED_KEY_LIMIT: z.coerce.number().int().min(0).default(600),
  SERVICE_TRUSTED_PROXIES: z.coerce.number().int().min(0).max(10).default(0),
  SERVICE_METRICS_PORT: z
    .string()
    .transform((text) => (text === "" ? undefined : Number(text)))
    .pipe(z.number().int().min(0).max(65535).optional())
    .optional(),
  SERVICE_WORKER: z
    .enum(["here", "elsewhere"], { error: "use here or elsewhere" })
    .default("here"),
  SERVICE_ABANDONED_HOURS: z.coerce.number().int().min(1).max(720).default(24),
  SERVICE_LOG_LEVEL: z.enum(["silent", "error", "warn", "info", "debug"]).default("info"),
});

export interface Config {
  databaseUrl: string;
  port: number;
  host: string;
  /** Where the API and the checkout are reached from outside, without a trailing slash. */
  publicUrl: string;
  mode: "test" | "live";
  logLevel: string;
  /** Where the worker runs: in the service's process, or as a program of its own. */
  worker: "here" | "elsewhere";
  limits: Limits;
  /** Milliseconds without activity after which a checkout counts as abandoned (ADR 0104). */
  abandonedAfter: number;
  /** How many proxies stand before the service: only they may name the caller's address. */
  trustedProxies: number;
  /** Where Prometheus finds the metrics; none if left out. */
  metricsPort: number | undefined;
  /** What signing secrets are sealed with, 32 bytes; without it no webhook is registered. */
  secretsKey: Buffer | undefined;
}

/** @throws Error whose message names the variable and what is wrong with it, in one line. */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
): Config {
  const parsed = Environment.safeParse(environment);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join(".")}: ${issue?.message}`);
  }
  const values = parsed.data;
  return {
    databaseUrl: values.SERVICE_DATABASE_URL,
    port: values.SERVICE_PORT,
    host: values.SERVICE_HOST,
    publicUrl: values.SERVICE_PUBLIC_URL ?? `http://localhost:${values.SERVICE_PORT}`,
    mode: values.SERVICE_MODE,
    logLevel: values.SERVICE_LOG_LEVEL,
    worker: values.SERVICE_WORKER,
    limits: {
      perKey: values.SERVICE_RATE_LIMIT,
      failedKeys: values.SERVICE_FAILED_KEY_LIMIT,
    },
    trustedProxies: values.SERVICE_TRUSTED_PROXIES,
    abandonedAfter: values.SERVICE_ABANDONED_HOURS * 3_600_000,
    metricsPort: values.SERVICE_METRICS_PORT,
    secretsKey: values.SERVICE_SECRETS_KEY,
  };
}
