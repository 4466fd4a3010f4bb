"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import type { ReactNode } from "react";
import type { Customer } from "#contract/customers.ts";
import { RecordPage } from "#components/list/record-page.tsx";
import { useCached } from "#components/list/use-cached.ts";
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
  /** While the server renders the page: what the cache or a list holds, or a skeleton. */
  isPlaceholder?: boolean;
  /** Their subscriptions. */
  children: ReactNode;
}

export function CustomerRecord({
  failure,
  isPlaceholder = false,
  children,
}: CustomerRecordProps) {
  const t = useTranslations("customers");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const query = useCached(
    {
      ...customerQuery(scope, id),
      placeholderData: () => findListedCustomer(queryClient, scope, id),
    },
    isPlaceholder,
  );
  return (
    <RecordPage
      back={{ href: "/customers", label: t("title") }}
      heading={t("one")}
      query={query}
      failure={failure}
      skeleton={
        <>
          <span className="skeleton mb-5 h-8 w-64" />
          <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
            <span className="skeleton h-64 rounded-md" />
            <span className="skeleton h-72 rounded-md" />
          </div>
        </>
      }
    >
      {(customer) => <RecordView customer={customer}>{children}</RecordView>}
    </RecordPage>
  );
}

interface RecordViewProps {
  customer: Customer;
  children: ReactNode;
}

/** On phones their contacts come first; on wide screens they stand beside their subscriptions. */
function RecordView({ customer, children }: RecordViewProps) {
  const t = useTranslations("customers");
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
