"use client";

import { useTranslations } from "next-intl";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useFormContext, useWatch } from "react-hook-form";
import { PageLink, useScope } from "#components/context/seller-context.tsx";
import {
  History,
  type IconType,
  TriangleAlert,
  UserRoundCheck,
  UserRoundPlus,
  UserRoundSearch,
} from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { customerPath } from "#lib/customers/search.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type { Subscription } from "#contract/subscriptions.ts";
import { isSamePhone } from "#contract/phone-number.ts";
import type { CatalogueProduct } from "#lib/products/queries.ts";
import { findPeriodWithProduct } from "#lib/products/rules.ts";
import { subscriptionPath } from "#lib/subscriptions/search.ts";
import { type CreateSubscriptionValues, readPhone } from "./create-subscription-values.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FormTextField } from "./form-text-field.tsx";
import {
  knownDetailsOf,
  detailsToFill,
  existingSubscriptions,
  type BuyerRecords,
  NO_DETAILS,
  type KnownDetails,
} from "./known-details.ts";
import { type KnownCustomer as Lookup, useKnownCustomer } from "./use-known-customer.ts";

interface KnownCustomerProps {
  products: CatalogueProduct[];
  /** The customer in the page's link; empty for none. */
  customerId: string;
  /** The buyer of an ended subscription that is started again. */
  had: Subscription["client"] | undefined;
}

export function BuyerFields(props: KnownCustomerProps) {
  const t = useTranslations("create.buyer");
  return (
    <Card className="grid gap-4 p-4 sm:grid-cols-2 sm:p-5">
      <div className="sm:col-span-2">
        <CardTitle>{t("title")}</CardTitle>
      </div>
      <FormTextField
        path="client.phone"
        type="tel"
        inputMode="tel"
        read={readPhone}
        hint={t("phoneHint")}
      />
      <KnownCustomerNote {...props} />
      <FormTextField path="client.full_name" />
      <FormTextField path="client.email" type="email" inputMode="email" />
      <FormTextField path="client.address" className="sm:col-span-2" />
    </Card>
  );
}

/**
 * Names the customer with the typed phone number and fills in their details. On wide screens it is
 * beside the phone field, so that no other field moves.
 */
function KnownCustomerNote({ products, customerId, had }: KnownCustomerProps) {
  const lookup = useKnownCustomer(customerId);
  const { known } = lookup;
  const isFilled = useFilling(known, had);
  return (
    <>
      <div role="status" className="sm:pt-6">
        {known ? <Found known={known} isFilled={isFilled} /> : <NotFound lookup={lookup} />}
      </div>
      {known && <Meeting known={known} products={products} />}
    </>
  );
}

function NotFound({ lookup: { state, newest, isLinkBroken } }: { lookup: Lookup }) {
  const t = useTranslations("create.known");
  const isFailed = state === "failed" || (state === "none" && isLinkBroken);
  if (isFailed) return <Line icon={TriangleAlert}>{t("failed")}</Line>;
  if (state === "none") return <Line icon={UserRoundSearch}>{t("begin")}</Line>;
  if (state === "looking") return <Line icon={UserRoundSearch}>{t("looking")}</Line>;
  return (
    <Line icon={UserRoundPlus}>
      {newest === null ? t("new") : t("notAmong", { count: newest })}
    </Line>
  );
}

function Line({ icon: Icon, children }: { icon: IconType; children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 py-2 text-sm text-muted">
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}

function Found({ known, isFilled }: { known: BuyerRecords; isFilled: boolean }) {
  const t = useTranslations("create.known");
  const inCreate = useTranslations("create");
  const scope = useScope();
  const { customer } = known;
  return (
    <Notice icon={UserRoundCheck}>
      <p>
        {t.rich("has", {
          name: customer.full_name || customer.buyer_phone,
          customer: (words) => (
            <PageLink
              href={customerPath(scope, customer)}
              target="_blank"
              className="font-medium underline underline-offset-2"
            >
              {words}
            </PageLink>
          ),
          hidden: (words) => <span className="sr-only">{words}</span>,
        })}
      </p>
      <p className="text-muted">
        {isFilled && `${t("filled")} `}
        {subscriptionWords(inCreate, known)}
      </p>
    </Notice>
  );
}

function subscriptionWords(
  t: Translate<"create">,
  { subscriptions, isLooking }: BuyerRecords,
): string {
  if (isLooking) return t("known.lookingFor");
  const active = subscriptions.filter(({ status }) => status === "active").length;
  const count = subscriptions.length;
  return count === 0 ? t("known.none") : t("known.found", { count, active });
}

/**
 * Tells of the customer's existing subscription: the service refuses a second active one, and reuses an
 * unpaid one.
 */
function Meeting({ known, products }: { known: BuyerRecords; products: CatalogueProduct[] }) {
  const t = useTranslations("create.known");
  const scope = useScope();
  const pbp_id = useWatch<CreateSubscriptionValues, "pbp_id">({ name: "pbp_id" });
  const choice = findPeriodWithProduct(products, pbp_id);
  if (!choice) return null;
  const { product_id } = choice.product;
  const { plan_name } = choice.plan;
  const { active, waiting } = existingSubscriptions(known, { product_id, plan_name, pbp_id });
  const met = active ?? waiting;
  if (!met) return null;
  return (
    <Notice
      role="status"
      look={active ? "warning" : "info"}
      icon={active ? TriangleAlert : History}
      className="sm:order-last sm:col-span-2"
    >
      {t(active ? "active" : "waiting")}{" "}
      <PageLink
        href={subscriptionPath(scope, met.subscription_id)}
        className="whitespace-nowrap underline underline-offset-2"
      >
        {t("open")}
      </PageLink>
    </Notice>
  );
}

/** Fills in the fields that the user has not changed. @returns whether it filled any field */
function useFilling(known: BuyerRecords | null, had: KnownCustomerProps["had"]): boolean {
  const { setValue, getValues, clearErrors } = useFormContext<CreateSubscriptionValues>();
  const filled = useRef<KnownDetails>(had ?? NO_DETAILS);
  const [isFilled, setFilled] = useState(false);
  const fill = useEffectEvent(() => {
    const own = had && isSamePhone(getValues("client.phone"), had.phone) ? had : NO_DETAILS;
    const details = known ? knownDetailsOf(known, own) : own;
    const fields = detailsToFill(details, getValues("client") ?? {}, filled.current);
    for (const field of fields) {
      setValue(`client.${field}`, details[field], { shouldDirty: true });
      clearErrors(`client.${field}`);
    }
    filled.current = details;
    setFilled((was) => known !== null && (was || fields.length > 0));
  });
  const customerId = known?.customer.id;
  const isLooking = known?.isLooking;
  useEffect(() => {
    // This runs twice, because the address arrives later, with the customer's subscriptions.
    fill();
  }, [customerId, isLooking]);
  return isFilled;
}
