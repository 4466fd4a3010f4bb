"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useTransition } from "react";
import { BackLink } from "#components/list/links.tsx";
import { FailurePanel } from "#components/forms/failure-panel.tsx";
import { ScopedLink } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { UserX } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import type { Failure } from "#lib/failure.ts";
import type { CustomerLookup } from "#lib/customers/queries.ts";

type CustomerNotFoundProps =
  { failure: Failure; lookup: null } | { failure: null; lookup: CustomerLookup };

/** Says that no customer has the subscription's phone number, or why that could not be looked up. */
export function CustomerNotFound({ failure, lookup }: CustomerNotFoundProps) {
  const t = useTranslations("customers");
  const router = useRouter();
  const [isFetching, startFetching] = useTransition();
  const refetch = () => startFetching(() => router.refresh());
  return (
    <>
      <BackLink href="/customers">{t("title")}</BackLink>
      <h1 className="sr-only">{t("one")}</h1>
      {failure ? (
        <FailurePanel failure={failure} query={{ isFetching, refetch }} />
      ) : (
        <StatePanel
          icon={UserX}
          title={t("notFound.title")}
          text={
            lookup.newest === null
              ? t("notFound.text")
              : t("notFound.amongNewest", { count: lookup.newest })
          }
          action={
            <ScopedLink href="/customers" className={buttonClass()}>
              {t("seeAll")}
            </ScopedLink>
          }
        />
      )}
    </>
  );
}
