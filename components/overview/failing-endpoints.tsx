"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import type { Translate } from "#lib/i18n/message.ts";
import { failingQuery, type FailingEndpoint } from "#lib/webhooks/queries.ts";
import { GIVEN_UP_REPORT_DAYS, hostOf } from "#lib/webhooks/rules.ts";

const SHOWN = 3;

/** Lists failing endpoints; renders nothing if all work or their state is unknown. */
export function FailingEndpoints() {
  const t = useTranslations("overview");
  const mayRead = usePermission("webhooks:read");
  const { data } = useQuery({ ...failingQuery(useScope()), enabled: mayRead });
  const endpoints = data?.endpoints ?? [];
  if (endpoints.length === 0) return null;
  const has = (what: "retrying" | "given_up") => endpoints.some((one) => one[what] > 0);
  return (
    <Notice look="warning" icon={TriangleAlert} role="status" className="my-4">
      <p className="font-medium">{t("failing.title", { count: endpoints.length })}</p>
      <ul className="mt-1 grid gap-0.5">
        {endpoints.slice(0, SHOWN).map(({ endpoint_url, ...counts }) => (
          <li key={endpoint_url} title={endpoint_url}>
            {t("failing.line", { host: hostOf(endpoint_url), what: whatFails(t, counts) })}
          </li>
        ))}
        {endpoints.length > SHOWN && (
          <li>{t("failing.more", { count: endpoints.length - SHOWN })}</li>
        )}
        {data?.counted && <li>{t("failing.newestOnly", { count: data.counted })}</li>}
      </ul>
      <ScopedLink
        href={
          has("retrying")
            ? "/settings/webhooks/deliveries?state=retrying"
            : has("given_up")
              ? "/settings/webhooks/deliveries?state=failed"
              : "/settings/webhooks"
        }
        className="mt-1 inline-flex items-center rounded font-medium underline underline-offset-2 max-md:min-h-11"
      >
        {t("failing.see")}
      </ScopedLink>
    </Notice>
  );
}

function whatFails(
  t: Translate<"overview">,
  { retrying, given_up, is_off }: Omit<FailingEndpoint, "endpoint_url">,
): string {
  return [
    is_off && t("failing.off"),
    retrying > 0 && t("failing.retrying", { count: retrying }),
    given_up > 0 && t("failing.givenUp", { count: given_up, days: GIVEN_UP_REPORT_DAYS }),
  ]
    .filter((part) => part !== false)
    .join("; ");
}
