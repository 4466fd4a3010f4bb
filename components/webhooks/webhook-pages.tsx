"use client";

import { useTranslations } from "next-intl";
import { usePathname } from "next/navigation";
import { ScopedLink } from "#components/shell/scoped-link.tsx";
import { useScope } from "#components/shell/seller-context.tsx";
import { SteadyWords } from "#components/ui/steady-words.tsx";
import { scopePath } from "#lib/scope.ts";

const ENDPOINTS = "/settings/webhooks";
const DELIVERIES = "/settings/webhooks/deliveries";

/** The two pages of the webhook settings: endpoints, and deliveries to and from them. */
export function WebhookPages() {
  const t = useTranslations("webhooks");
  const path = usePathname().slice(scopePath(useScope()).length);
  const pages = [
    { href: ENDPOINTS, label: t("endpoints"), isCurrent: path === ENDPOINTS },
    { href: DELIVERIES, label: t("deliveries"), isCurrent: path.startsWith(DELIVERIES) },
  ];
  return (
    <nav aria-label={t("title")} className="mb-4">
      <ul className="inline-flex max-w-full flex-wrap rounded-md bg-sunken p-0.5 max-md:flex">
        {pages.map(({ href, label, isCurrent }) => (
          <li key={href} className="max-md:grow">
            <ScopedLink
              href={href}
              aria-current={isCurrent ? "page" : undefined}
              className="flex h-7 items-center rounded px-3 text-muted hover:text-ink aria-[current=page]:bg-surface aria-[current=page]:font-medium aria-[current=page]:text-ink aria-[current=page]:shadow-card max-md:h-11 max-md:justify-center max-md:px-2"
            >
              <SteadyWords>{label}</SteadyWords>
            </ScopedLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
