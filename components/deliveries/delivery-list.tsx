"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { columnsOf, DataTable } from "#components/list/data-table.tsx";
import { FilterTabs } from "#components/list/links.tsx";
import { polledList, type PolledRows } from "#components/list/polled-list.tsx";
import { LinkToTop, RowLink } from "#components/list/links.tsx";
import { ScopedLink, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Inbox, Unplug } from "#components/ui/icons.tsx";
import { deliveriesQuery, type DeliveryList as List } from "#lib/deliveries/queries.ts";
import {
  deliveriesPath,
  deliveryPath,
  type DeliverySearch,
  isUnfilteredDeliveries,
  parseDeliverySearch,
  DELIVERY_STATES,
} from "#lib/deliveries/search.ts";
import { StatePanel } from "#components/ui/notice.tsx";
import { Moment } from "#components/values/day.tsx";
import type { DeliveryRow } from "#contract/deliveries.ts";
import { DeliveryFilterBar } from "./delivery-filter.tsx";
import { RecoverButton } from "./resend.tsx";
import { DeliveryStateBadge } from "./delivery-state-badge.tsx";

const EXPECTED_ROWS = 8;

const list = polledList({
  parse: parseDeliverySearch,
  query: deliveriesQuery,
  Frame,
  Rows,
  NotOffered: DeliveriesNotOffered,
});
export const DeliveryListPage = list.Page;
export const DeliveryListSkeleton = list.Skeleton;

function Frame({ search, children }: { search: DeliverySearch; children: ReactNode }) {
  const t = useTranslations("deliveries");
  const scope = useScope();
  const tabs = [null, ...DELIVERY_STATES].map((state) => ({
    href: deliveriesPath(scope, { ...search, state, before: null }),
    label: t(state === null ? "list.sent" : `state.${state}`),
    isCurrent: state === search.state,
  }));
  return (
    <>
      <div className="mb-3 flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-xl flex-1 basis-80 text-pretty text-muted">{t("list.intro")}</p>
        <RecoverButton webhook={search.webhook} />
      </div>
      <FilterTabs label={t("list.byState")} tabs={tabs} />
      {/* Remounts for a new URL, so that going back shows the current filter. */}
      <DeliveryFilterBar key={deliveriesPath(scope, search)} search={search} />
      {children}
    </>
  );
}

function Rows({ search, list, isBusy }: PolledRows<DeliverySearch, List>) {
  const t = useTranslations("deliveries");
  const scope = useScope();
  const last = list?.has_older ? list.deliveries.at(-1) : undefined;
  return (
    <KeysetList
      before={search.before === null ? null : String(search.before)}
      next={last ? String(last.id) : null}
      pathTo={(before) =>
        deliveriesPath(scope, { ...search, before: before === null ? null : Number(before) })
      }
      link={LinkToTop}
      isEmpty={list?.deliveries.length === 0}
      empty={{
        icon: Inbox,
        title: t("empty.title"),
        text: t("empty.text"),
        action: <EndpointsLink />,
      }}
      noMatch={
        isUnfilteredDeliveries(search)
          ? null
          : {
              title: t("none.title"),
              text: t("none.text"),
              all: t("none.showAll"),
              allPath: deliveriesPath(scope),
            }
      }
    >
      <DataTable
        label={t("title")}
        className="delivery-rows"
        columns={deliveryColumns}
        rows={list?.deliveries}
        rowId={({ id }) => String(id)}
        isBusy={isBusy}
        expectedRows={EXPECTED_ROWS}
      />
    </KeysetList>
  );
}

function DeliveriesNotOffered() {
  const t = useTranslations("deliveries");
  return (
    <StatePanel
      icon={Unplug}
      title={t("notOffered.title")}
      text={t("notOffered.text")}
      action={<EndpointsLink />}
    />
  );
}

function EndpointsLink() {
  const t = useTranslations("deliveries");
  return (
    <ScopedLink href="/settings/webhooks" className={buttonClass()}>
      {t("empty.endpoints")}
    </ScopedLink>
  );
}

type ColumnName = "event" | "state" | "endpoint" | "answer" | "created";

const deliveryColumns = columnsOf<DeliveryRow, ColumnName>(Head, {
  event: (delivery) => <DeliveryLink delivery={delivery} />,
  state: ({ state }) => <DeliveryStateBadge state={state} />,
  endpoint: ({ endpoint_url }) => <span title={endpoint_url}>{endpoint_url}</span>,
  answer: (delivery) => <AnswerCell delivery={delivery} />,
  created: ({ created_at }) => <Moment iso={created_at} />,
});

function Head({ of }: { of: ColumnName }) {
  return useTranslations("deliveries.columns")(of);
}

function DeliveryLink({ delivery: { id, event } }: { delivery: DeliveryRow }) {
  const t = useTranslations("deliveries");
  return (
    <RowLink href={deliveryPath(useScope(), id)}>
      {event || t("noEvent")}
      <span className="sr-only"> {id}</span>
    </RowLink>
  );
}

function AnswerCell({ delivery }: { delivery: DeliveryRow }) {
  const t = useTranslations("deliveries.answer");
  const { attempts: count, last_response_code: code, state } = delivery;
  if (count === 0) return <span>{t(state === "pending" ? "notYet" : "notSent")}</span>;
  return t.rich("attempts", {
    code: code === null ? t("none") : String(code),
    count,
    muted: (words) => <span>{words}</span>,
  });
}
