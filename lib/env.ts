import "server-only";
import * as z from "zod";

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
};

const httpAddress = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

const Env = z.object({
  DATABASE_URL: z
    .string("is not set")
    .regex(/^postgres(ql)?:\/\//, "must begin with postgresql://"),
  BILLING_API_URL: httpAddress.default("http://localhost:4000"),
  BILLING_API_KEY: z.string().optional(),
  BILLING_CHECKOUT_URL: httpAddress.transform((url) => url.replace(/\/+$/, "")).optional(),
  NEXTAUTH_SECRET: z.string("is not set").min(16, "must have at least 16 characters"),
  NEXTAUTH_URL: z.string("is not set").pipe(httpAddress),
  API_KEY_ENCRYPTION_KEY: z
    .string("is not set")
    .transform((text) => Buffer.from(text, "base64"))
    .refine((key) => key.length === 32, "must be 32 bytes in base64"),
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

export function readEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.entries(variables).filter(([, value]) => value !== "");
  const result = Env.safeParse(Object.fromEntries(given));
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join(".")} ${issue.message}`,
  );
  throw new ConfigurationError(`The configuration is not usable: ${problems.join("; ")}.`);
}

let parsed: Env | undefined;

/** The dashboard's configuration, read at first use so that a build needs none of it. */
export function env(): Env {
  return (parsed ??= readEnv(process.env));
}
