import { ViewList } from "#components/subscriptions/views/view-list.tsx";
import { sellerPage, type ScopeParams } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";

export const generateMetadata = pageTitle("views.title");

/** The page reads nothing, because the layout loads the views. */
export default async function ViewsPage({ params }: { params: ScopeParams }) {
  await sellerPage(params, "subscriptions:read");
  return <ViewList />;
}
