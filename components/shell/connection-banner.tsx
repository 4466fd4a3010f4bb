"use client";

import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { Notice } from "#components/ui/notice.tsx";
import type { ConnectionStatus } from "#lib/connection/queries.ts";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";

/** On every page while the service rejects the stored key. */
export function ConnectionBanner({ state, since }: ConnectionStatus) {
  const t = useTranslations("layout.banner");
  const format = useFormat();
  const mayConnect = usePermission("connection:write");
  if (state !== "refused") return null;
  return (
    <Notice look="danger" icon={KeyRound} role="alert" className="mb-5">
      <p className="font-medium">
        {since ? t("titleSince", { since: format.dateTime(since) }) : t("title")}
      </p>
      <p>
        {t("text")}{" "}
        {mayConnect ? (
          <ScopedLink
            href="/settings/connection"
            className="inline-flex rounded font-medium underline max-md:min-h-11 max-md:items-center"
          >
            {t("replace")}
          </ScopedLink>
        ) : (
          t("ask")
        )}
      </p>
    </Notice>
  );
}
