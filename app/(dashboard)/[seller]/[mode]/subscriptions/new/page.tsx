import { HydratedQueries } from "#components/shell/query-provider.tsx";
import { CreateSubscriptionPage } from "#components/subscriptions/create/create-subscription.tsx";
import { sellerPage, type SellerPageProps } from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getCatalogue } from "#lib/products/data.ts";
import { catalogueQuery } from "#lib/products/queries.ts";
import { getReturnPage } from "#lib/payments/data.ts";
import { prefetch } from "#lib/query/prefetch.ts";

export const generateMetadata = pageTitle("create.title");

export default async function NewSubscriptionPage({ params, searchParams }: SellerPageProps) {
  const { seller, scope, user } = await sellerPage(params, "subscriptions:create");
  const { pbp_id, customer, again } = await searchParams;
  const { json, failure } = await prefetch(catalogueQuery(scope), () => getCatalogue(scope));
  return (
    <HydratedQueries json={json}>
      <CreateSubscriptionPage
        failure={failure}
        pbpId={typeof pbp_id === "string" ? pbp_id : ""}
        customerId={typeof customer === "string" ? customer : ""}
        endedId={typeof again === "string" ? again : ""}
        returnUrl={seller.return_url ?? ""}
        ownPage={await getReturnPage(scope, "subscriptions:create")}
        person={user.id}
      />
    </HydratedQueries>
  );
}
