"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import type { Subscription } from "#contract/subscriptions.ts";
import { useDescribeAbsence } from "#components/list/index-notice.tsx";
import { IndexFreshness } from "#components/list/index-freshness.tsx";
import { useVisibleFailure } from "#components/list/use-visible-failure.ts";
import { FailureLine } from "#components/forms/failure-line.tsx";
import { ScopedLink } from "#components/shell/scoped-link.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { findSubscriptionsQuery, type Found } from "#lib/subscriptions/search-queries.ts";
import { subscriptionQueryString, parseSubscriptionSearch } from "#lib/subscriptions/search.ts";
import { SubscriptionRows } from "./subscription-rows.tsx";
import { SubscriptionStatusBadge } from "./subscription-status-badge.tsx";

const EXPECTED_ROWS = 5;

/** Who subscribes to this product, out of the copy: the service cannot be asked. */
export function ProductSubscriptions() {
  const t = useTranslations("subscriptions");
  const { id } = useParams<{ id: string }>();
  const search = parseSubscriptionSearch({ product: id });
  const query = useQuery(findSubscriptionsQuery(useScope(), search, ""));
  const failure = useVisibleFailure(query, null);
  return (
    <Card aria-labelledby="subscriptions-title" className="mt-4 min-w-0">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 border-b px-4 py-3">
        <CardTitle id="subscriptions-title">{t("title")}</CardTitle>
        {query.data?.state === "ready" && query.data.count > 0 && (
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
          <FailureLine
            failure={failure}
            isRetrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </div>
      ) : (
        <Rows found={query.data} />
      )}
    </Card>
  );
}

function Rows({ found }: { found: Found<Subscription> | undefined }) {
  const t = useTranslations("subscriptions.product");
  if (found && found.state !== "ready") return null;
  if (found?.count === 0) return null;
  return (
    <SubscriptionRows
      label={t("label")}
      subscriptions={found?.results}
      expectedRows={EXPECTED_ROWS}
      namedBy="buyer"
      aside={({ status }) => <SubscriptionStatusBadge status={status} />}
    />
  );
}

function Extent({ found }: { found: Found<Subscription> | undefined }) {
  const t = useTranslations("finding.found");
  const describeAbsence = useDescribeAbsence();
  return (
    <p role="status" className="min-h-5 w-full text-sm text-muted">
      {found &&
        (found.state === "ready" ? (
          <>
            {t(found.is_capped ? "more" : "count", { count: found.count })}{" "}
            <IndexFreshness found={found} />
          </>
        ) : (
          describeAbsence(found)
        ))}
    </p>
  );
}
