import "server-only";
import * as z from "zod";
import { MODES, type Mode } from "#lib/scope.ts";
import type { EncryptionKeys } from "#lib/crypto/api-key.ts";
import { isOpenToOthers, isPublishedOff } from "#lib/exposure.ts";

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
};

const httpAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

const checkoutAddress = httpAddress.transform((url) => url.replace(/\/+$/, ""));

const encryptionKey = z
  .string()
  .transform((text) => Buffer.from(text, "base64"))
  .refine((key) => key.length === 32, "must be 32 bytes in base64");

const postgresAddress = z
  .string("is not set")
  .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://");

const Env = z.object({
  DATABASE_URL: postgresAddress,
  /** The same database past a pooler: who listens needs a connection that stays (ADR 0192). */
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  /** A copy that follows it, for what reads much of the sellers' records (ADR 0192). */
  DATABASE_REPLICA_URL: postgresAddress.optional(),
  BILLING_API_URL: httpAddress.optional(),
  BILLING_API_KEY: z.string().optional(),
  BILLING_CHECKOUT_URL: checkoutAddress.optional(),
  BILLING_SANDBOX_API_URL: httpAddress.optional(),
  BILLING_SANDBOX_API_KEY: z.string().optional(),
  BILLING_SANDBOX_CHECKOUT_URL: checkoutAddress.optional(),
  NEXTAUTH_SECRET: z.string("is not set").min(16, "must have at least 16 characters"),
  NEXTAUTH_URL: z.string("is not set").pipe(httpAddress),
  API_KEY_ENCRYPTION_KEY: z.string("is not set").pipe(encryptionKey),
  /** Earlier ones, and in a rolling change the next: separated by commas. */
  API_KEY_ENCRYPTION_KEY_OLD: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((key) => key.trim() !== ""))
    .pipe(z.array(encryptionKey)),
  HOST: z.string().default("127.0.0.1"),
  /** How many proxies before it may name the caller's address and host. */
  TRUSTED_PROXIES: z.string().regex(/^\d$/, "is not a number from 0 to 9").default("0"),
  /** Left out: by invitation where others can come. */
  SIGN_UP: z.enum(["open", "invitation"], "must be open or invitation").optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must begin with smtp:// or smtps://" })
    .optional(),
  MAIL_FROM: z.string().optional(),
  /** New passwords are looked up there by the first five digits of their SHA-1; nowhere if left out. */
  BREACHED_PASSWORDS_URL: httpAddress.optional(),
  OIDC_ISSUER: httpAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default("your organisation"),
  /** Calls at once to one seller's API while its records are copied. */
  MIRROR_CALLS: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(16, "must be 16 or less")
    .default(2),
  /** Where Prometheus finds `/metrics` of this dashboard; none if left out. */
  DASHBOARD_METRICS_PORT: z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(65_535, "must be 65535 or less")
    .optional(),
  /** Who sends it as a bearer is given the metrics; needed where others reach them. */
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  /** Where the copies are kept: in this process, or by `npm run worker`. */
  MIRROR_WORKER: z.enum(["here", "elsewhere"], "must be here or elsewhere").default("here"),
  DEMONSTRATION: z.enum(["on", "plain", "off"], "must be on, plain or off").default("on"),
  DEMO_EMAIL: z.email("must be an email address").optional(),
  DEMO_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  DEMO_SELLER_NAME: z.string().default("Demo seller"),
  DEMO_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone such as Asia/Kathmandu")
    .default("Asia/Kathmandu"),
});
export type Env = z.output<typeof Env>;

/** Its message is one line for the operator and repeats no value. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

type Variables = Record<string, string | undefined>;

/** Every name that is read. */
export const ENV_NAMES: readonly string[] = Object.keys(Env.shape);

/** Everything that is wrong with it, each in words that repeat no value. */
export function envProblems(variables: Variables): string[] {
  const given = Object.fromEntries(
    Object.entries(variables).filter(([, value]) => value !== ""),
  );
  const issues = Env.safeParse(given).error?.issues ?? [];
  return [
    ...issues.map((issue) => `${issue.path.join(".")} ${issue.message}`),
    ...TOGETHER.flatMap((names) => missingOf(given, names)),
  ];
}

export function readEnv(variables: Variables): Env {
  const problems = envProblems(variables);
  if (problems.length > 0)
    throw new ConfigurationError(`The configuration is not usable: ${problems.join("; ")}.`);
  const given = Object.entries(variables).filter(([, value]) => value !== "");
  return withDefaults(Env.parse(Object.fromEntries(given)));
}

/** Half of these would fail at the first person who needs them, not at the start. */
const TOGETHER = [
  ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"],
  ["SMTP_URL", "MAIL_FROM"],
] as const satisfies (keyof Env)[][];

function missingOf(given: Variables, names: readonly (keyof Env)[]): string[] {
  const missing = names.filter((name) => given[name] === undefined);
  if (missing.length === names.length) return [];
  return missing.map(
    (name) =>
      `${name} is not set, but belongs with ${names.filter((one) => one !== name).join(" and ")}`,
  );
}

function withDefaults(given: Env): Env {
  const SIGN_UP = given.SIGN_UP ?? (isOpenToOthers(given) ? "invitation" : "open");
  const env = { ...given, SIGN_UP };
  // Whoever names no service means the embedded one, which is a sandbox.
  const isNamed = env.BILLING_API_URL ?? env.BILLING_SANDBOX_API_URL;
  return isNamed ? env : { ...env, BILLING_SANDBOX_API_URL: "http://localhost:4000" };
}

let parsed: Env | undefined;

/** The dashboard's configuration, read at first use so that a build needs none of it. */
export function env(): Env {
  return (parsed ??= readEnv(process.env));
}

/** Where a connection stays with the one who opened it, as LISTEN and migrations need. */
export const directDatabaseUrl = (settings: Env = env()) =>
  settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;

/** Whether traces are made, so that a page's requests name theirs (scripts/process/tracing.ts). */
export const isTraced = () => Boolean(process.env["OTEL_EXPORTER_OTLP_ENDPOINT"]);

/** Whether the published password opens nothing at this process. */
export const isPublishedOffHere = () => isPublishedOff(process.env);

/** The server that reloads what is being written; never a build's. */
export const isDevelopment = () => process.env.NODE_ENV === "development";

/** The key that seals first, then those that still open. */
export function encryptionKeysOf(settings: Env): EncryptionKeys {
  return [settings.API_KEY_ENCRYPTION_KEY, ...settings.API_KEY_ENCRYPTION_KEY_OLD];
}

/** The service that each mode speaks to; null for a mode that this installation does not have. */
export function billingUrl(mode: Mode): string | null {
  const { BILLING_API_URL: live, BILLING_SANDBOX_API_URL: test } = env();
  return (mode === "live" ? live : test) ?? null;
}

/** Never empty. */
export function availableModes(): Mode[] {
  return MODES.filter((mode) => billingUrl(mode) !== null);
}

/** Where checkout links of this mode begin, when the operator said so. */
export function checkoutUrl(mode: Mode): string | null {
  const { BILLING_CHECKOUT_URL: live, BILLING_SANDBOX_CHECKOUT_URL: test } = env();
  return (mode === "live" ? live : test) ?? null;
}

/** Of the services and checkouts that the operator named. */
export function serviceOrigins(): string[] {
  const urls = MODES.flatMap((mode) => [billingUrl(mode), checkoutUrl(mode)]);
  return [...new Set(urls.flatMap((url) => (url ? [new URL(url).origin] : [])))];
}
