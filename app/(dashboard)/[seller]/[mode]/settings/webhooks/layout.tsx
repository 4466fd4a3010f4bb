import type { ReactNode } from "react";
import { Words } from "#components/shell/words.tsx";
import { WebhookPages } from "#components/webhooks/webhook-pages.tsx";

export default function WebhooksLayout({ children }: { children: ReactNode }) {
  return (
    <Words of={["webhooks", "deliveries"]}>
      <WebhookPages />
      {children}
    </Words>
  );
}
