"use client";

import { createColumnHelper } from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import type { TableShape } from "#components/list/data-table.tsx";
import { RowLink } from "#components/list/links.tsx";
import { Moment } from "#components/values/day.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import type { DeliveryRow } from "#contract/deliveries.ts";
import { deliveryPath } from "#lib/deliveries/search.ts";
import { DeliveryStateBadge } from "./delivery-state-badge.tsx";

const helper = createColumnHelper<TableShape, DeliveryRow>();

export const deliveryColumns = helper.columns([
  column("event", "md:w-58 lg:w-64 max-md:col-start-1 max-md:row-start-1", (delivery) => (
    <DeliveryLink delivery={delivery} />
  )),
  column(
    "state",
    "md:w-28 max-md:col-start-2 max-md:row-start-1 max-md:text-right",
    ({ state }) => <DeliveryStateBadge state={state} />,
  ),
  // Too wide for tablets.
  column("endpoint", "max-md:col-span-2 md:max-xl:hidden", ({ endpoint_url }) => (
    <span title={endpoint_url} className="block truncate text-sm text-muted">
      {endpoint_url}
    </span>
  )),
  column("answer", "md:w-34 lg:w-40 max-md:text-xs max-md:text-muted", (delivery) => (
    <AnswerCell delivery={delivery} />
  )),
  column(
    "created",
    "md:w-40 lg:w-44 max-md:text-right max-md:text-xs max-md:text-muted text-sm",
    ({ created_at }) => <Moment iso={created_at} />,
  ),
]);

type ColumnName = "event" | "state" | "endpoint" | "answer" | "created";

function column(id: ColumnName, className: string, cell: (delivery: DeliveryRow) => ReactNode) {
  return helper.display({
    id,
    header: () => <Head of={id} />,
    meta: { className },
    cell: ({ row }) => cell(row.original),
  });
}

function Head({ of }: { of: ColumnName }) {
  return useTranslations("deliveries.columns")(of);
}

function DeliveryLink({ delivery: { id, event } }: { delivery: DeliveryRow }) {
  const t = useTranslations("deliveries");
  return (
    <RowLink href={deliveryPath(useScope(), id)} className="font-mono text-sm">
      {event || t("noEvent")}
      <span className="sr-only"> {id}</span>
    </RowLink>
  );
}

function AnswerCell({ delivery }: { delivery: DeliveryRow }) {
  const t = useTranslations("deliveries.answer");
  const { attempts: count, last_response_code: code, state } = delivery;
  if (count === 0)
    return <span className="text-muted">{t(state === "pending" ? "notYet" : "notSent")}</span>;
  return (
    <span className="tabular-nums">
      {t.rich("attempts", {
        code: code === null ? t("none") : String(code),
        count,
        muted: (chunks) => <span className="text-muted">{chunks}</span>,
      })}
    </span>
  );
}
