import { rotateSecretsKey } from "../webhooks/rotate-secrets-key.ts";
import { defineCommand, Refusal } from "./command.ts";

export const rotateKey = defineCommand(
  "rotate-secrets-key",
  "Seals the webhooks' secrets by SERVICE_SECRETS_KEY. SERVICE_SECRETS_KEY_OLD opens them. It can be stopped and run again.",
  {},
  async ({ pool, config: { secretsKey, oldSecretsKeys }, progress }) => {
    if (!secretsKey) throw new Refusal("SERVICE_SECRETS_KEY is not set");
    const done = await rotateSecretsKey(pool, [secretsKey, ...oldSecretsKeys], {
      onBatch: ({ resealed }) => progress?.(`\r\u001b[K${resealed} sealed anew …`),
    });
    progress?.("\r\u001b[K");
    if (done.unopened > 0)
      throw new Refusal(
        `${done.resealed} secrets were sealed anew. ${done.unopened} were sealed by a key that is neither in SERVICE_SECRETS_KEY nor in SERVICE_SECRETS_KEY_OLD; they were left as they are`,
      );
    return {
      json: done,
      text: `Sealed anew: ${done.resealed}. Everything else was sealed by the new key already.`,
    };
  },
);
