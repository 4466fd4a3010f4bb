import type { Webhook } from "#contract/webhooks.ts";
import type { WebhookRow } from "./store.ts";

export const presentWebhook = ({ created_at, ...row }: WebhookRow): Webhook => ({
  ...row,
  created_at: created_at.toISOString(),
});
