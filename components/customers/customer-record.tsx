"use client";

import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useParams } from "next/navigation";
import { type ReactNode, Suspense } from "react";
import {
  type IconType,
  MailIcon,
  MessageCircle,
  MessageSquareText,
  Phone,
  Plus,
} from "#components/ui/icons.tsx";
import type { Customer } from "#contract/customers.ts";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { RecordPage, useCachedQuery } from "#components/list/query-state.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import {
  ScopedLink,
  usePermission,
  useScope,
  useSeller,
} from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import type { Failure } from "#lib/failure.ts";
import {
  customerQuery,
  customerSubscriptionsQuery,
  findListedCustomer,
} from "#lib/customers/queries.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { BusinessRows, ContactRows } from "#components/list/client-rows.tsx";
import { RawJsonButton } from "#components/list/raw-json.tsx";
import { Day } from "#components/values/day.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ReminderChoice } from "./reminder-choice.tsx";
import { contactsOf, type CustomerContact } from "#lib/customers/rules.ts";

const CustomerNotesCard = lazyPart(
  async () => (await import("./customer-notes.tsx")).CustomerNotesCard,
  "tags",
);

interface CustomerDetailPageProps {
  failure: Failure | null;
  /**
   * Whether the server renders the page: it shows what the cache or a list holds, or a skeleton.
   */
  isPlaceholder?: boolean;
  /** The customer's subscriptions. */
  children: ReactNode;
}

export function CustomerDetailPage({
  failure,
  isPlaceholder = false,
  children,
}: CustomerDetailPageProps) {
  const t = useTranslations("customers");
  const { id } = useParams<{ id: string }>();
  const scope = useScope();
  const queryClient = useQueryClient();
  const placeholderData = () => findListedCustomer(queryClient, scope, id);
  const query = useCachedQuery({ ...customerQuery(scope, id), placeholderData }, isPlaceholder);
  return (
    <RecordPage
      back={{ href: "/customers", label: t("title") }}
      heading={t("one")}
      query={query}
      failure={failure}
      isPlaceholder={isPlaceholder}
    >
      {(customer) => (
        <>
          <PageHeader
            title={customer.full_name || customer.buyer_phone || t("one")}
            action={
              <div className="flex flex-wrap gap-2 max-sm:w-full">
                <PaymentsLink id={id} />
                <CreateLink id={id} />
              </div>
            }
          />
          {/* On phones the contacts come first; on wide screens they are beside the subscriptions. */}
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr]">
            <CustomerDetails customer={customer} />
            <div className="grid min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
              {children}
            </div>
            <BuyerDetails id={id} />
            {!isPlaceholder && (
              <Suspense
                fallback={
                  <span aria-busy className="skeleton h-60 rounded-md lg:col-start-2" />
                }
              >
                <CustomerNotesCard id={customer.id} />
              </Suspense>
            )}
          </div>
        </>
      )}
    </RecordPage>
  );
}

function PaymentsLink({ id }: { id: string }) {
  const t = useTranslations("customers");
  if (!usePermission("payments:read")) return null;
  return (
    <ScopedLink
      href={`/payments?customer=${id}`}
      className={buttonClass("secondary", "max-sm:w-full")}
    >
      {t("payments")}
    </ScopedLink>
  );
}

function CreateLink({ id }: { id: string }) {
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

const ICONS: Record<CustomerContact["kind"], IconType> = {
  call: Phone,
  whatsapp: MessageCircle,
  viber: MessageCircle,
  sms: MessageSquareText,
  email: MailIcon,
};

function CustomerDetails({ customer }: { customer: Customer }) {
  const t = useTranslations("customers.details");
  const { id, full_name, buyer_phone, buyer_email, created_at } = customer;
  return (
    <Card aria-labelledby="details-title" className="min-w-0 p-4">
      <CardTitle id="details-title">{t("title")}</CardTitle>
      <Contacts customer={customer} />
      <dl className="mt-4 grid gap-2 [--label:5.5rem]">
        <Copied label={t("name")} value={full_name} />
        <Copied label={t("phone")} value={buyer_phone} />
        <Copied label={t("email")} value={buyer_email} />
        <DetailRow label={t("since")}>{created_at && <Day iso={created_at} />}</DetailRow>
        <DetailRow label={t("id")} action={<RawJsonButton isInRow kind="customer" id={id} />}>
          <span className="font-mono text-xs">{id}</span>
        </DetailRow>
      </dl>
      <ReminderChoice customer={customer} />
    </Card>
  );
}

/** Links that open a call or message in the user's own apps, in which the user sends it. */
function Contacts({ customer }: { customer: Customer }) {
  const t = useTranslations("customers");
  const contacts = contactsOf(customer, useSeller().time_zone);
  if (contacts.length === 0) return null;
  return (
    <ul aria-label={t("contacts.label")} className="mt-3 flex flex-wrap gap-1.5">
      {contacts.map(({ kind, href }) => {
        const Icon = ICONS[kind];
        return (
          <li key={kind} className="flex-[1_1_5rem]">
            <a
              href={href}
              {...(kind === "whatsapp" && { target: "_blank", rel: "noreferrer" })}
              className="flex h-13 flex-col items-center justify-center gap-1 rounded border bg-surface text-xs font-medium shadow-card transition-colors hover:bg-sunken"
            >
              <Icon aria-hidden className="size-4 text-accent" />
              {t(`contacts.${kind}`)}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

function Copied({ label, value }: { label: string; value: string }) {
  const t = useTranslations("customers.details");
  return (
    <DetailRow
      label={label}
      action={
        value && (
          <span className="-my-2 -mr-2 flex shrink-0 flex-col items-end max-md:-my-3">
            <CopyButton
              text={value}
              label={t("copy")}
              what={label.toLowerCase()}
              isCompact
              look="quiet"
            />
          </span>
        )
      }
    >
      {value}
    </DetailRow>
  );
}

/** Address and billing details from the newest subscription; the customer record has none. */
function BuyerDetails({ id }: { id: string }) {
  const { data } = useInfiniteQuery(customerSubscriptionsQuery(useScope(), id));
  const [subscription] = data?.pages.flatMap(({ results }) => results) ?? [];
  return subscription ? <Details subscription={subscription} /> : null;
}

function Details({ subscription: { client, created_at } }: { subscription: Subscription }) {
  const t = useTranslations("customers.buyer");
  const { address, billing, shipping } = client;
  return (
    <Card aria-labelledby="buyer-title" className="min-w-0 p-4 lg:col-start-2 lg:row-start-2">
      <CardTitle id="buyer-title">{t("title")}</CardTitle>
      {created_at && (
        <p className="text-sm text-muted">
          {t.rich("created", { day: () => <Day iso={created_at} /> })}
        </p>
      )}
      <dl className="mt-3 grid gap-2 [--label:5.5rem]">
        <DetailRow label={t("address")}>{address}</DetailRow>
      </dl>
      {billing && (
        <Part title={t("billing")}>
          <BusinessRows business={billing} />
        </Part>
      )}
      {shipping && (
        <Part title={t("shipping")}>
          <ContactRows contact={shipping} />
        </Part>
      )}
    </Card>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h3 className="mt-4 font-medium">{title}</h3>
      <dl className="mt-2 grid gap-2 [--label:5.5rem]">{children}</dl>
    </>
  );
}
