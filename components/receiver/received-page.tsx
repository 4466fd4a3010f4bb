"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { Inbox } from "#components/ui/icons.tsx";
import type { Failure } from "#lib/failure.ts";
import {
  receivedPath,
  type ReceivedRow,
  type ReceivedSearch,
  receiverQuery,
  type ReceiverState,
} from "#lib/receiver/queries.ts";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { Moment } from "#components/values/day.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { deliveryEffect } from "#lib/receiver/rules.ts";
import { examinePath } from "#lib/deliveries/search.ts";
import { ReceiverCard, VerdictBadge } from "./receiver-card.tsx";
import { ReceiverSecrets } from "./receiver-secrets.tsx";

/** @param failure why the server could not read it */
export function ReceivedPage({
  search,
  failure,
}: {
  search: ReceivedSearch;
  failure: Failure | null;
}) {
  const query = useQuery(receiverQuery(useScope(), search));
  return (
    <QueryOutcome {...{ query, failure }}>
      <Received receiver={query.data} search={search} />
    </QueryOutcome>
  );
}

const NEWEST: ReceivedSearch = { before: null };

/** The page during server rendering: what the cache holds, or cards of the same size. */
export function ReceivedPageSkeleton() {
  return (
    <div inert>
      <Received
        receiver={useQueryClient().getQueryData(receiverQuery(useScope(), NEWEST).queryKey)}
        search={NEWEST}
      />
    </div>
  );
}

function Received({
  receiver,
  search,
}: {
  receiver: ReceiverState | undefined;
  search: ReceivedSearch;
}) {
  const mayWrite = usePermission("webhooks:write");
  if (!receiver)
    return (
      <div aria-busy className="grid max-w-3xl gap-4">
        <span className="skeleton h-64 rounded-md" />
        <span className="skeleton h-14 rounded-md" />
        <span className="skeleton h-72 rounded-md" />
      </div>
    );
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-4">
      {search.before === null && (
        <>
          <ReceiverCard receiver={receiver} mayWrite={mayWrite} />
          {mayWrite && receiver.url && <ReceiverSecrets receiver={receiver} />}
        </>
      )}
      <ReceivedList receiver={receiver} before={search.before} />
    </div>
  );
}

function ReceivedList({
  receiver,
  before,
}: {
  receiver: ReceiverState;
  before: string | null;
}) {
  const t = useTranslations("receiver.latest");
  const scope = useScope();
  const { latest, next } = receiver;
  return (
    <div className="min-w-0">
      <KeysetList
        before={before}
        next={next}
        pathTo={(cursor) => receivedPath(scope, { before: cursor })}
        isEmpty={latest.length === 0}
        empty={{ icon: Inbox, title: t("none"), text: t("noneText") }}
        noMatch={null}
        frame={(content) => (
          <Card aria-labelledby="received" className="min-w-0">
            <div className="px-4 pt-4 sm:px-5">
              <CardTitle id="received">{t("title")}</CardTitle>
            </div>
            {content}
          </Card>
        )}
      >
        <ul aria-labelledby="received" className="received-rows">
          {latest.map((row) => (
            <ReceivedItem key={row.id} {...row} />
          ))}
        </ul>
      </KeysetList>
    </div>
  );
}

function ReceivedItem(row: ReceivedRow) {
  const t = useTranslations("receiver");
  const { id, verdict, reason, event, subscription_id, delivery_id, received_at, has_body } =
    row;
  return (
    <li>
      <div>
        <VerdictBadge verdict={verdict} />
        <b>{event ?? t("latest.unnamed")}</b>
        <Moment iso={received_at} />
      </div>
      <p>
        {t(`reasons.${reason ?? "verified"}`)} {t(`effects.${deliveryEffect(row)}`)}
      </p>
      <p>
        {subscription_id && reason !== "example" && (
          <ScopedLink href={`/subscriptions/${encodeURIComponent(subscription_id)}`}>
            {t("latest.open")}
          </ScopedLink>
        )}
        {has_body && (
          <ScopedLink href={examinePath({ received: id })}>{t("latest.examine")}</ScopedLink>
        )}
        {delivery_id && <span>{delivery_id}</span>}
      </p>
    </li>
  );
}
