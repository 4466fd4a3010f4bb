import * as z from "zod";
import { readKey } from "../sellers/key.ts";
import { issueKey, listKeys, revokeKey, type KeyRow } from "../sellers/store.ts";
import { rotateSecretsKey } from "../webhooks/rotate-secrets-key.ts";
import { defineCommand, AdminCommandFailure } from "./command.ts";
import { requireSeller, SellerOption } from "./sellers.ts";

const stateOf = ({ is_active }: KeyRow) => (is_active ? "active" : "inactive");

export const issueSellerKey = defineCommand(
  "issue-key",
  "Makes an API key and prints it. It is shown this once: only a hash of it is stored.",
  {
    seller: SellerOption,
    mode: z.enum(["test", "live"], { error: "use test or live" }).optional().meta({
      description: "test or live; this service's mode if left out",
      placeholder: "MODE",
    }),
  },
  async ({ pool, config, now }, options) => {
    const seller = await requireSeller(pool, options.seller);
    const mode = options.mode ?? config.mode;
    const key = await issueKey(pool, {
      seller_id: seller.seller_id,
      mode,
      created_at: now(),
    });
    return {
      json: { seller: seller.name, mode, state: "active", prefix: readKey(key)?.prefix, key },
      text: `${key}\nA ${mode} key of ${seller.name}. Keep it now: it is not shown again.`,
    };
  },
);

export const listSellerKeys = defineCommand(
  "list-keys",
  "Lists a seller's keys by their public parts.",
  { seller: SellerOption },
  async ({ pool }, options) => {
    const seller = await requireSeller(pool, options.seller);
    const rows = await listKeys(pool, seller.seller_id);
    const keys = rows.map((row) => ({
      prefix: row.prefix,
      mode: row.mode,
      state: stateOf(row),
      last_four: row.last_four,
      created_at: row.created_at.toISOString(),
    }));
    const lines = keys.map(
      (key) =>
        `${key.prefix}  ${key.mode}  ${key.state}  …${key.last_four}  ${key.created_at.slice(0, 10)}`,
    );
    return {
      json: { seller: seller.name, keys },
      text: lines.join("\n") || `${seller.name} has no keys.`,
    };
  },
);

export const revokeSellerKey = defineCommand(
  "revoke-key",
  "Switches an API key off, for good. Requests that begin afterwards answer 401.",
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
    return { json: { prefix, state: "inactive" }, text: `The key ${prefix} is switched off.` };
  },
);

export const rotateKey = defineCommand(
  "rotate-secrets-key",
  "Encrypts the signing secrets again, now with SERVICE_SECRETS_KEY; SERVICE_SECRETS_KEY_OLD decrypts them. It can be stopped and run again.",
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
