"use client";

import { createColumnHelper } from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import type { Customer } from "#contract/customers.ts";
import type { TableShape } from "#components/list/data-table.tsx";
import { RowLink } from "#components/list/row-link.tsx";
import { Day } from "#components/values/day.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Nothing } from "#components/ui/nothing.tsx";
import { customerPath } from "#lib/customers/search.ts";

const helper = createColumnHelper<TableShape, Customer>();

export const customerColumns = helper.columns([
  helper.display({
    id: "name",
    header: () => <Head of="name" />,
    meta: { className: "max-md:col-span-2" },
    cell: ({ row: { original } }) => <CustomerLink customer={original} />,
  }),
  helper.display({
    id: "phone",
    header: () => <Head of="phone" />,
    meta: { className: "md:w-34 lg:w-48 max-md:col-start-1 max-md:row-start-2" },
    cell: ({ row: { original } }) => (
      <span className="block truncate tabular-nums">{original.buyer_phone || <Nothing />}</span>
    ),
  }),
  helper.display({
    id: "email",
    header: () => <Head of="email" />,
    meta: {
      className:
        "max-md:col-span-2 max-md:row-start-3 max-md:text-sm max-md:text-muted md:w-56 lg:w-88",
    },
    cell: ({ row: { original } }) => (
      <span className="block truncate" title={original.buyer_email}>
        {original.buyer_email || <Nothing />}
      </span>
    ),
  }),
  helper.display({
    id: "since",
    header: () => <Head of="since" />,
    meta: { className: "md:w-28 lg:w-34 max-md:col-start-2 max-md:row-start-2" },
    cell: ({ row: { original } }) => (
      <span className="text-sm text-muted">
        {original.created_at ? <Day iso={original.created_at} /> : <Nothing />}
      </span>
    ),
  }),
]);

function Head({ of }: { of: "name" | "phone" | "email" | "since" }) {
  return useTranslations("customers.columns")(of);
}

function CustomerLink({ customer: { id, full_name, buyer_phone } }: { customer: Customer }) {
  const t = useTranslations("customers");
  return (
    <RowLink href={customerPath(useScope(), { id })} title={full_name}>
      {full_name || buyer_phone || t("noName")}
    </RowLink>
  );
}
