import type { ReactNode } from "react";
import { ClientMessages } from "#components/shell/client-messages.tsx";
import { WebhookPages } from "#components/webhooks/webhook-pages.tsx";

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return (
    <ClientMessages of="webhooks">
      <WebhookPages />
      {children}
    </ClientMessages>
  );
}
