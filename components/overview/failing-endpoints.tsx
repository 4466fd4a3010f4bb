"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { ScopedLink } from "#components/layout/scoped-link.tsx";
import { usePermission, useScope } from "#components/layout/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { failingQuery } from "#lib/webhooks/queries.ts";
import { hostOf } from "#lib/webhooks/rules.ts";

const SHOWN = 3;

/** Nothing while every address takes what is sent to it, or nobody can say. */
export function FailingEndpoints() {
  const t = useTranslations("overview.failing");
  const mayRead = usePermission("webhooks:read");
  const { data = [] } = useQuery({ ...failingQuery(useScope()), enabled: mayRead });
  if (data.length === 0) return null;
  return (
    <Notice look="warning" icon={TriangleAlert} role="status" className="my-4">
      <p className="font-medium">{t("title", { count: data.length })}</p>
      <ul className="mt-1 grid gap-0.5">
        {data.slice(0, SHOWN).map(({ endpoint_url, retrying, is_off }) => (
          <li key={endpoint_url} title={endpoint_url} className="break-words">
            {t(is_off ? "off" : "retrying", { host: hostOf(endpoint_url), count: retrying })}
          </li>
        ))}
        {data.length > SHOWN && <li>{t("more", { count: data.length - SHOWN })}</li>}
      </ul>
      <ScopedLink
        href={
          data.some(({ retrying }) => retrying > 0)
            ? "/settings/webhooks/deliveries?state=retrying"
            : "/settings/webhooks"
        }
        className="mt-1 inline-flex items-center rounded font-medium underline underline-offset-2 max-md:min-h-11"
      >
        {t("see")}
      </ScopedLink>
    </Notice>
  );
}
