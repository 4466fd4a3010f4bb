"use client";

import { createColumnHelper } from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import type { TableShape } from "#components/list/data-table.tsx";
import { RowLink } from "#components/list/links.tsx";
import { Moment } from "#components/values/day.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import type { DeliveryRow } from "#contract/deliveries.ts";
import { deliveryPath } from "#lib/deliveries/search.ts";
import { DeliveryStateBadge } from "./delivery-state-badge.tsx";

const helper = createColumnHelper<TableShape, DeliveryRow>();

export const deliveryColumns = helper.columns([
  helper.display({
    id: "event",
    header: () => <Head of="event" />,
    meta: { className: "md:w-58 lg:w-64 max-md:col-start-1 max-md:row-start-1" },
    cell: ({ row: { original } }) => <DeliveryLink delivery={original} />,
  }),
  helper.display({
    id: "state",
    header: () => <Head of="state" />,
    meta: { className: "md:w-28 max-md:col-start-2 max-md:row-start-1 max-md:text-right" },
    cell: ({ row: { original } }) => <DeliveryStateBadge state={original.state} />,
  }),
  helper.display({
    id: "endpoint",
    header: () => <Head of="endpoint" />,
    // Tablet widths have no room for it.
    meta: { className: "max-md:col-span-2 md:max-xl:hidden" },
    cell: ({ row: { original } }) => (
      <span title={original.endpoint_url} className="block truncate text-sm text-muted">
        {original.endpoint_url}
      </span>
    ),
  }),
  helper.display({
    id: "answer",
    header: () => <Head of="answer" />,
    meta: { className: "md:w-34 lg:w-40 max-md:text-xs max-md:text-muted" },
    cell: ({ row: { original } }) => <AnswerCell delivery={original} />,
  }),
  helper.display({
    id: "created",
    header: () => <Head of="created" />,
    meta: {
      className: "md:w-40 lg:w-44 max-md:text-right max-md:text-xs max-md:text-muted text-sm",
    },
    cell: ({ row: { original } }) => <Moment iso={original.created_at} />,
  }),
]);

function Head({ of }: { of: "event" | "state" | "endpoint" | "answer" | "created" }) {
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
