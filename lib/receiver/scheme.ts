import * as z from "zod";
import { STANDARD_SCHEME, STANDARD_TOLERANCE, type SignatureScheme } from "#lib/signature.ts";

const HeaderName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,100}$/);

/** A signature scheme, as stored and as a form sends it. */
export const Scheme = z.object({
  headers: z.object({
    id: HeaderName.nullable(),
    timestamp: HeaderName.nullable(),
    signature: HeaderName,
  }),
  algorithm: z.enum(["sha1", "sha256", "sha512"]),
  encoding: z.enum(["base64", "hex"]),
  prefix: z.string().max(20),
  signs: z.enum(["id.timestamp.body", "timestamp.body", "body"]),
  secret: z.enum(["standard", "text"]),
  tolerance: z.int().min(30).max(3_600).default(STANDARD_TOLERANCE),
}) satisfies z.ZodType<SignatureScheme>;

/** Standard Webhooks for anything unreadable. */
export const schemeOf = (stored: unknown): SignatureScheme =>
  Scheme.safeParse(stored).data ?? STANDARD_SCHEME;
