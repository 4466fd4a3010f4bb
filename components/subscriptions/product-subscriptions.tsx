"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import { IndexFreshness, useDescribeIndexAbsence } from "#components/list/index-notice.tsx";
import { useVisibleFailure } from "#components/list/query-state.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { subscriptionsQuery, type SubscriptionList } from "#lib/subscriptions/queries.ts";
import { subscriptionQueryString, parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { SubscriptionAmount, SubscriptionRows } from "./subscription-rows.tsx";
import { SubscriptionStatusBadge } from "./subscription-status-badge.tsx";

const EXPECTED_ROWS = 5;

/** The product's subscriptions, from the search index: the API does not filter by product. */
export function ProductSubscriptions() {
  const t = useTranslations("subscriptions");
  const { id } = useParams<{ id: string }>();
  const search = parseSubscriptionSearch({ product: id });
  const query = useQuery(subscriptionsQuery(useScope(), search));
  const failure = useVisibleFailure(query, null);
  return (
    <Card aria-labelledby="subscriptions-title" className="mt-4 min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-4 py-3">
        <CardTitle id="subscriptions-title">{t("title")}</CardTitle>
        {Boolean(query.data?.count) && !query.data?.absence && (
          <ScopedLink
            href={`/subscriptions${subscriptionQueryString({ product: id })}`}
            className="rounded text-sm font-medium text-accent underline-offset-4 hover:underline"
          >
            {t("product.seeAll")}
          </ScopedLink>
        )}
        {!failure && <Extent found={query.data} />}
      </div>
      {failure ? (
        <div className="px-4 py-5">
          <FailureLine failure={failure} query={query} />
        </div>
      ) : (
        <Rows found={query.data} />
      )}
    </Card>
  );
}

function Rows({ found }: { found: SubscriptionList | undefined }) {
  const t = useTranslations("subscriptions.product");
  // Without the index the rows come from the API, which does not filter by product, so they are
  // hidden.
  if (found?.absence || found?.count === 0) return null;
  return (
    <SubscriptionRows
      label={t("label")}
      subscriptions={found?.results}
      expectedRows={EXPECTED_ROWS}
      amount={(subscription) => <SubscriptionAmount subscription={subscription} />}
      aside={({ status }) => <SubscriptionStatusBadge status={status} />}
    />
  );
}

function Extent({ found }: { found: SubscriptionList | undefined }) {
  const t = useTranslations("finding.found");
  const describeAbsence = useDescribeIndexAbsence();
  return (
    <p role="status" className="min-h-5 w-full text-sm text-muted">
      {found &&
        (found.absence ? (
          describeAbsence(found.absence)
        ) : (
          <>
            {t(found.is_capped ? "more" : "count", { count: found.count ?? 0 })}{" "}
            <IndexFreshness found={found.source} />
          </>
        ))}
    </p>
  );
}
