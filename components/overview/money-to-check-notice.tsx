"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { moneyTasksQuery } from "#lib/collection/by-hand/queries.ts";
import { MONEY_TO_CHECK } from "#lib/payments/tasks/rules.ts";

/** How much money a member has to decide about; nothing if there is none. */
export function MoneyToCheckNotice() {
  const t = useTranslations("moneyToCheck.overview");
  const mayRead = usePermission("payments:read");
  const { data } = useQuery({ ...moneyTasksQuery(useScope()), enabled: mayRead });
  if (!data?.to_check) return null;
  return (
    <Notice look="warning" icon={TriangleAlert} role="status" className="my-4">
      <p className="font-medium">{t("title", { count: data.to_check })}</p>
      <ScopedLink
        href={MONEY_TO_CHECK}
        className="mt-1 inline-flex items-center rounded font-medium underline underline-offset-2 max-md:min-h-11"
      >
        {t("see")}
      </ScopedLink>
    </Notice>
  );
}
