"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import type { Customer } from "#contract/customers.ts";
import { QueryOutcome } from "#components/list/query-outcome.tsx";
import { BackLink } from "#components/shell/back-link.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { Failure } from "#lib/failure.ts";
import { customerQuery, findListedCustomer } from "#lib/customers/queries.ts";
import { BuyerDetails } from "./buyer-details.tsx";
import { CustomerDetails } from "./customer-details.tsx";

interface CustomerRecordProps {
  failure: Failure | null;
  /** Their subscriptions. */
  children: ReactNode;
}

export function CustomerRecord({ failure, children }: CustomerRecordProps) {
  const t = useTranslations("customers");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = useQuery({
    ...customerQuery(scope, id),
    placeholderData: () => findListedCustomer(queryClient, scope, id),
  });
  return (
    <>
      <BackLink href="/customers">{t("title")}</BackLink>
      <QueryOutcome {...{ query, failure }} heading={t("one")}>
        <RecordView customer={query.data}>{children}</RecordView>
      </QueryOutcome>
    </>
  );
}

/** While the server renders the page: what the cache holds, the customer or their row of a list. */
export function CustomerRecordFallback() {
  const t = useTranslations("customers");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const customer =
    queryClient.getQueryData(customerQuery(scope, id).queryKey) ??
    findListedCustomer(queryClient, scope, id);
  return (
    <>
      <BackLink href="/customers">{t("title")}</BackLink>
      <RecordView customer={customer}>
        <span className="skeleton h-64 rounded-md" />
      </RecordView>
    </>
  );
}

interface RecordViewProps {
  customer: Customer | undefined;
  children: ReactNode;
}

/** On a phone the ways to reach them come first, beside their subscriptions where there is room. */
function RecordView({ customer, children }: RecordViewProps) {
  const t = useTranslations("customers");
  if (!customer) {
    return (
      <div aria-busy>
        <span className="skeleton mb-5 h-8 w-64" />
        <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <span className="skeleton h-64 rounded-md" />
          <span className="skeleton h-72 rounded-md" />
        </div>
      </div>
    );
  }
  const { id, full_name, buyer_phone } = customer;
  return (
    <>
      <PageHeader
        title={full_name || buyer_phone || t("one")}
        action={<CreateLink id={id} />}
      />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
        <CustomerDetails customer={customer} />
        <div className="grid min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          {children}
        </div>
        <BuyerDetails id={String(id)} />
      </div>
    </>
  );
}

function CreateLink({ id }: Pick<Customer, "id">) {
  const t = useTranslations("customers");
  if (!usePermission("subscriptions:create")) return null;
  return (
    <ScopedLink
      href={`/subscriptions/new?customer=${id}`}
      className={buttonClass("primary", "max-sm:w-full")}
    >
      <Plus aria-hidden className="size-4" />
      <span>
        {t.rich("createFor", { more: (chunks) => <span className="sr-only">{chunks}</span> })}
      </span>
    </ScopedLink>
  );
}
