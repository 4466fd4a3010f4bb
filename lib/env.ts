import "server-only";
import { createECDH } from "node:crypto";
import * as z from "zod";
import { MODES, type Mode } from "#lib/scope.ts";
import type { EncryptionKeys } from "#lib/crypto/api-key.ts";
import { isReachableByOthers, isPublishedPasswordOff } from "#lib/exposure.ts";

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

/** Browsers subscribe with its public half, so another key ends their subscriptions. */
const pushKey = encryptionKey.refine((key) => {
  try {
    createECDH("prime256v1").setPrivateKey(key);
    return true;
  } catch {
    return false;
  }
}, "is no private key of the curve P-256");

const postgresAddress = z
  .string("is not set")
  .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://");

const wholeNumber = (most: number) =>
  z.coerce
    .number("must be a number")
    .int("must be a whole number")
    .min(1, "must be 1 or more")
    .max(most, `must be ${most} or less`);

const Env = z.object({
  DATABASE_URL: postgresAddress,
  /** The same database without a pooler: LISTEN needs a persistent connection (ADR 0192). */
  DATABASE_DIRECT_URL: postgresAddress.optional(),
  /** A read replica for expensive reads (ADR 0192). */
  DATABASE_REPLICA_URL: postgresAddress.optional(),
  BILLING_API_URL: httpAddress.optional(),
  BILLING_API_KEY: z.string().optional(),
  BILLING_CHECKOUT_URL: checkoutAddress.optional(),
  /** Lets this installation open accounts at the billing service of live mode. */
  BILLING_ACCOUNTS_TOKEN: z.string().optional(),
  /** Lets this installation's operators verify accounts at the billing service of live mode. */
  BILLING_OPERATOR_TOKEN: z.string().optional(),
  BILLING_SANDBOX_API_URL: httpAddress.optional(),
  BILLING_SANDBOX_API_KEY: z.string().optional(),
  BILLING_SANDBOX_CHECKOUT_URL: checkoutAddress.optional(),
  BILLING_SANDBOX_ACCOUNTS_TOKEN: z.string().optional(),
  /**
   * Duebook's own service, which sends the reminders when another company's service keeps the
   * subscriptions.
   */
  MESSAGES_API_URL: httpAddress.optional(),
  MESSAGES_ACCOUNTS_TOKEN: z.string().optional(),
  MESSAGES_SANDBOX_API_URL: httpAddress.optional(),
  MESSAGES_SANDBOX_ACCOUNTS_TOKEN: z.string().optional(),
  NEXTAUTH_SECRET: z.string("is not set").min(16, "must have at least 16 characters"),
  NEXTAUTH_URL: z.string("is not set").pipe(httpAddress),
  API_KEY_ENCRYPTION_KEY: z.string("is not set").pipe(encryptionKey),
  /** Previous keys, and during a rolling change the next one, separated by commas. */
  API_KEY_ENCRYPTION_KEY_OLD: z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((key) => key.trim() !== ""))
    .pipe(z.array(encryptionKey)),
  HOST: z.string().default("127.0.0.1"),
  /** The number of trusted proxies that may set the client's address and host. */
  TRUSTED_PROXIES: z.string().regex(/^\d$/, "is not a number from 0 to 9").default("0"),
  /**
   * Who may create an account. Default: only invited people if other machines can reach the server.
   */
  SIGN_UP: z.enum(["open", "invitation"], "must be open or invitation").optional(),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: "must begin with smtp:// or smtps://" })
    .optional(),
  MAIL_FROM: z.string().optional(),
  /** Signs pushes to browsers; without it none are sent. */
  WEB_PUSH_KEY: pushKey.optional(),
  /**
   * The service that checks new passwords by the first five digits of their SHA-1; no check if
   * unset.
   */
  BREACHED_PASSWORDS_URL: httpAddress.optional(),
  OIDC_ISSUER: httpAddress.optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_NAME: z.string().default("your organisation"),
  /** Concurrent calls to one seller's API while the search index is filled. */
  MIRROR_CALLS: wholeNumber(16).default(2),
  /** The port of `/metrics` for Prometheus; none if unset. */
  DASHBOARD_METRICS_PORT: wholeNumber(65_535).optional(),
  /** The bearer token of `/metrics`; required if other machines can reach it. */
  METRICS_TOKEN: z.string().min(16, "must have at least 16 characters").optional(),
  /** Where the search index is updated: in this process, or by `npm run worker`. */
  MIRROR_WORKER: z.enum(["here", "elsewhere"], "must be here or elsewhere").default("here"),
  DEMONSTRATION: z.enum(["on", "plain", "off"], "must be on, plain or off").default("on"),
  DEMO_EMAIL: z.email("must be an email address").optional(),
  DEMO_PASSWORD: z.string().min(8, "must have at least 8 characters").optional(),
  /** The demonstration's own account at the sandbox, with which its catalogue can be changed. */
  DEMO_ACCOUNT_ID: z.coerce.number().int().optional(),
  DEMO_ACCOUNT_TOKEN: z.string().optional(),
  DEMO_SELLER_NAME: z.string().default("Demo seller"),
  DEMO_TIME_ZONE: z
    .string()
    .refine(isTimeZone, "must be a time zone such as Asia/Kathmandu")
    .default("Asia/Kathmandu"),
});
export type Env = z.output<typeof Env>;

/** An error whose message is one line and contains no values of variables. */
export class ConfigurationError extends Error {
  override name = "ConfigurationError";
}

type Variables = Record<string, string | undefined>;

/** The names of the environment variables that `env` returns. */
export const ENV_NAMES: readonly string[] = Object.keys(Env.shape);

/** A text for each problem of the variables; none contains a value. */
export function envProblems(variables: Variables): string[] {
  const given = withoutEmpty(variables);
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
  return withDefaults(Env.parse(withoutEmpty(variables)));
}

const withoutEmpty = (variables: Variables): Variables =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));

/** Variables that must be set together. */
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
  const SIGN_UP = given.SIGN_UP ?? (isReachableByOthers(given) ? "invitation" : "open");
  const env = { ...given, SIGN_UP };
  // Without a service URL the default is Duebook's own service, which is a sandbox.
  const isNamed = env.BILLING_API_URL ?? env.BILLING_SANDBOX_API_URL;
  return isNamed ? env : { ...env, BILLING_SANDBOX_API_URL: "http://localhost:4000" };
}

let parsed: Env | undefined;

/** The environment, parsed at first use, so that a build does not need it. */
export function env(): Env {
  return (parsed ??= readEnv(process.env));
}

/** The URL for persistent connections, which LISTEN and migrations need. */
export const directDatabaseUrl = (settings: Env = env()) =>
  settings.DATABASE_DIRECT_URL ?? settings.DATABASE_URL;

/** Whether tracing is on (scripts/process/tracing.ts). */
export const isTraced = () => Boolean(process.env["OTEL_EXPORTER_OTLP_ENDPOINT"]);

/** Whether the published password is disabled in this process. */
export const isPublishedPasswordOffHere = () => isPublishedPasswordOff(process.env);

export const isDevelopment = () => process.env.NODE_ENV === "development";

/** The key for encryption first, then previous keys for decryption. */
export function encryptionKeysOf(settings: Env): EncryptionKeys {
  return [settings.API_KEY_ENCRYPTION_KEY, ...settings.API_KEY_ENCRYPTION_KEY_OLD];
}

/** The service URL of a mode; null if this installation does not have the mode. */
export function billingUrl(mode: Mode): string | null {
  const { BILLING_API_URL: live, BILLING_SANDBOX_API_URL: test } = env();
  return (mode === "live" ? live : test) ?? null;
}

/** The configured modes; never empty. */
export function availableModes(): Mode[] {
  return MODES.filter((mode) => billingUrl(mode) !== null);
}

/** The start of checkout links in this mode, if configured. */
export function checkoutUrl(mode: Mode): string | null {
  const { BILLING_CHECKOUT_URL: live, BILLING_SANDBOX_CHECKOUT_URL: test } = env();
  return (mode === "live" ? live : test) ?? null;
}

/** The token that opens accounts at this mode's service; null if it opens none for us. */
export function accountsToken(mode: Mode): string | null {
  const { BILLING_ACCOUNTS_TOKEN: live, BILLING_SANDBOX_ACCOUNTS_TOKEN: test } = env();
  return (mode === "live" ? live : test) ?? null;
}

/**
 * The service that sends reminders for sellers who are connected to another account or service, and
 * the token that opens accounts there; null without one.
 */
export function messageService(mode: Mode): { baseUrl: string; token: string } | null {
  const settings = env();
  const [url, set] =
    mode === "live"
      ? [settings.MESSAGES_API_URL, settings.MESSAGES_ACCOUNTS_TOKEN]
      : [settings.MESSAGES_SANDBOX_API_URL, settings.MESSAGES_SANDBOX_ACCOUNTS_TOKEN];
  const baseUrl = url ?? billingUrl(mode);
  const token = url === undefined ? accountsToken(mode) : (set ?? null);
  return baseUrl === null || token === null ? null : { baseUrl, token };
}

/** The operator's token at the live service; null if nobody here verifies its accounts. */
export const operatorToken = (): string | null => env().BILLING_OPERATOR_TOKEN ?? null;

/** The origins of the configured services and checkouts. */
export function serviceOrigins(): string[] {
  const urls = MODES.flatMap((mode) => [billingUrl(mode), checkoutUrl(mode)]);
  return [...new Set(urls.flatMap((url) => (url ? [new URL(url).origin] : [])))];
}
