import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { WebhookSettings } from "#components/webhooks/webhook-settings.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { prefetch } from "#lib/query/prefetch.ts";
import { listWebhooks } from "#lib/webhooks/data.ts";
import { webhooksQuery } from "#lib/webhooks/queries.ts";

export const generateMetadata = pageTitle("webhooks.title");

export default async function WebhooksPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "webhooks:read");
  const { json, failure } = await prefetch(webhooksQuery(scope), () => listWebhooks(scope));
  return (
    <HydratedQueries json={json}>
      <WebhookSettings failure={failure} />
    </HydratedQueries>
  );
}
