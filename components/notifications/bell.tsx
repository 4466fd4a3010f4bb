"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useConnectionState } from "#components/context/live-state.ts";
import { ScopedLink, useFormat, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { BellIcon } from "#components/ui/icons.tsx";
import { unreadQuery } from "#lib/notifications/queries.ts";

const MOST = 99;

/**
 * The link to the notifications. Loads the count after hydration, so that it does not delay the
 * first paint.
 */
export function Bell() {
  const t = useTranslations("live.bell");
  const format = useFormat();
  const isAwake = useConnectionState() !== "off";
  const query = useQuery({ ...unreadQuery(useScope()), enabled: isAwake });
  const unread = query.data ?? 0;
  return (
    <ScopedLink
      href="/notifications"
      aria-keyshortcuts="g n"
      className={buttonClass("quiet", "relative w-8 shrink-0 px-0 max-md:w-11")}
    >
      <BellIcon aria-hidden className="size-4" />
      {unread > 0 && (
        <span
          aria-hidden
          className="absolute -top-0.5 -right-0.5 flex h-4 min-w-4 items-center justify-center rounded-full bg-accent-strong px-1 text-[0.625rem] font-semibold text-white tabular-nums"
        >
          {format.count(Math.min(unread, MOST))}
        </span>
      )}
      <span className="sr-only">
        {unread > 0 ? t("unread", { count: unread }) : t("label")}
      </span>
    </ScopedLink>
  );
}
