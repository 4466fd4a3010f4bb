export { WebhookSettingsSkeleton as default } from "#components/webhooks/webhook-settings.tsx";
