import { WebhookSettingsFallback } from "#components/webhooks/webhook-settings.tsx";

export default function WebhooksLoading() {
  return <WebhookSettingsFallback />;
}
