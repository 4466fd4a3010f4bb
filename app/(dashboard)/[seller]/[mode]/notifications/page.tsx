import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { NotificationList } from "#components/notifications/notification-list.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getNotifications } from "#lib/notifications/data.ts";
import { notificationsQuery } from "#lib/notifications/queries.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("notifications.title");

export default async function NotificationsPage({ params }: { params: ScopeParams }) {
  const { scope } = await sellerPage(params, "subscriptions:read");
  const { json, failure } = await prefetch(notificationsQuery(scope), () =>
    getNotifications(scope),
  );
  return (
    <HydratedQueries json={json}>
      <NotificationList failure={failure} />
    </HydratedQueries>
  );
}
