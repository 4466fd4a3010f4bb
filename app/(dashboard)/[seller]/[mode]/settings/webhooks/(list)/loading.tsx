import { WebhookSettingsSkeleton } from "#components/webhooks/webhook-settings.tsx";

export default function WebhooksLoading() {
  return <WebhookSettingsSkeleton />;
}
