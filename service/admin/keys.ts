import * as z from "zod";
import { KEY_SCOPES } from "#contract/names.ts";
import { readKey } from "../sellers/key.ts";
import { issueKey, keyStateOf, listKeys, revokeKey } from "../sellers/key-store.ts";
import { rotateSecretsKey } from "../webhooks/rotate-secrets-key.ts";
import { defineCommand, AdminCommandFailure } from "./command.ts";
import { requireSeller, SellerOption } from "./sellers.ts";

const ModeOption = z.enum(["test", "live"], { error: "use test or live" }).optional().meta({
  description: "test or live; this service's mode if left out",
  placeholder: "MODE",
});
const NameOption = z
  .string()
  .trim()
  .max(100, "use at most 100 characters")
  .default("")
  .meta({ description: "a name by which people know it", placeholder: "NAME" });
const DaysOption = z.coerce
  .number({ error: "write a whole number of days" })
  .int("write a whole number of days")
  .min(1, "1 to 3650 days")
  .max(3_650, "1 to 3650 days")
  .optional()
  .meta({ description: "days until it expires; it does not if left out", placeholder: "DAYS" });

const DAY = 24 * 60 * 60 * 1_000;
const endOf = (now: Date, days: number | undefined) =>
  days === undefined ? null : new Date(+now + days * DAY);

export const issueSellerKey = defineCommand(
  "issue-key",
  "Makes an API key and prints it. It is shown this once: only a hash of it is stored.",
  {
    seller: SellerOption,
    mode: ModeOption,
    name: NameOption,
    scopes: z
      .string()
      .default("read,write")
      .transform((text) => text.split(","))
      .pipe(z.array(z.enum(KEY_SCOPES, "use some of read,write,account")))
      .meta({
        description: "some of read,write,account; read,write if left out",
        placeholder: "LIST",
      }),
    "expires-days": DaysOption,
  },
  async ({ pool, config, now }, options) => {
    const seller = await requireSeller(pool, options.seller);
    const mode = options.mode ?? config.mode;
    const key = await issueKey(pool, {
      seller_id: seller.seller_id,
      mode,
      name: options.name,
      scopes: [...new Set(options.scopes)],
      expires_at: endOf(now(), options["expires-days"]),
      created_at: now(),
    });
    return {
      json: { seller: seller.name, mode, state: "active", prefix: readKey(key)?.prefix, key },
      text: `${key}\nA ${mode} key of ${seller.name}. Keep it now: it is not shown again.`,
    };
  },
);

export const issueAccountToken = defineCommand(
  "issue-account-token",
  "Makes the token that opens a seller's account API and can make keys, and prints it this once.",
  { seller: SellerOption, mode: ModeOption, name: NameOption, "expires-days": DaysOption },
  async ({ pool, config, now }, options) => {
    const seller = await requireSeller(pool, options.seller);
    const mode = options.mode ?? config.mode;
    const token = await issueKey(pool, {
      kind: "account_token",
      seller_id: seller.seller_id,
      mode,
      name: options.name,
      expires_at: endOf(now(), options["expires-days"]),
      created_at: now(),
    });
    return {
      json: { seller: seller.name, mode, prefix: readKey(token)?.prefix, token },
      text: `${token}\nAn account token of ${seller.name} (${mode}). Keep it now: it is not shown again.`,
    };
  },
);

export const listSellerKeys = defineCommand(
  "list-keys",
  "Lists a seller's keys and account tokens by their public parts.",
  { seller: SellerOption },
  async ({ pool, now }, options) => {
    const seller = await requireSeller(pool, options.seller);
    const rows = await listKeys(pool, seller.seller_id);
    const keys = rows.map((row) => ({
      prefix: row.prefix,
      kind: row.kind,
      mode: row.mode,
      name: row.name,
      scopes: row.scopes,
      state: keyStateOf(row, now()),
      last_four: row.last_four,
      created_at: row.created_at.toISOString(),
      expires_at: row.expires_at?.toISOString() ?? null,
      last_used_at: row.last_used_at?.toISOString() ?? null,
      last_used_address: row.last_used_address,
    }));
    const lines = keys.map((key) =>
      [
        key.prefix,
        key.mode,
        key.state,
        `…${key.last_four}`,
        key.created_at.slice(0, 10),
        key.kind === "account_token" ? "account token" : key.scopes.join(","),
        key.last_used_at ? `used ${key.last_used_at.slice(0, 10)}` : "never used",
        key.name,
      ]
        .filter(Boolean)
        .join("  "),
    );
    return {
      json: { seller: seller.name, keys },
      text: lines.join("\n") || `${seller.name} has no keys.`,
    };
  },
);

export const revokeSellerKey = defineCommand(
  "revoke-key",
  "Switches an API key or account token off, for good. Requests that begin afterwards answer 401.",
  {
    key: z.string().min(1).meta({
      description: "its public part (see list-keys), or the whole key",
      placeholder: "KEY",
    }),
  },
  async ({ pool }, { key }) => {
    const prefix = readKey(key)?.prefix ?? key;
    if (!(await revokeKey(pool, prefix)))
      throw new AdminCommandFailure("no key has that public part; see list-keys");
    return { json: { prefix, state: "revoked" }, text: `The key ${prefix} is switched off.` };
  },
);

export const rotateKey = defineCommand(
  "rotate-secrets-key",
  "Encrypts the signing secrets and the settings of channels again, now with SERVICE_SECRETS_KEY; SERVICE_SECRETS_KEY_OLD decrypts them. It can be stopped and run again.",
  {},
  async ({ pool, config: { secretsKey, oldSecretsKeys }, progress }) => {
    if (!secretsKey) throw new AdminCommandFailure("SERVICE_SECRETS_KEY is not set");
    const done = await rotateSecretsKey(pool, [secretsKey, ...oldSecretsKeys], {
      onBatch: ({ resealed }) => progress?.(`\r\u001b[K${resealed} encrypted again …`),
    });
    progress?.("\r\u001b[K");
    if (done.unopened > 0)
      throw new AdminCommandFailure(
        `${done.resealed} secrets were encrypted again. ${done.unopened} were encrypted with a key that is neither in SERVICE_SECRETS_KEY nor in SERVICE_SECRETS_KEY_OLD; they were left as they are`,
      );
    return {
      json: done,
      text: `Encrypted again: ${done.resealed}. All others used the new key already.`,
    };
  },
);
