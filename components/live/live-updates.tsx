"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef } from "react";
import { showDesktopNotification } from "#components/shell/desktop-notifications.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import { useConnectionState } from "#components/context/live-state.ts";
import { RefreshCw, WifiOff } from "#components/ui/icons.tsx";

/** Milliseconds after mount, so that the page renders and hydrates first. */
const AFTER = 1_500;

/** Mounted once, in the dashboard's layout: keeps the page up to date with changes made elsewhere. */
export function LiveUpdates() {
  const client = useQueryClient();
  const { scope, person, now } = useSeller();
  // The time when the page was rendered; `now` advances.
  const rendered = useRef(now);
  const t = useTranslations("live.note");
  const note = useEffectEvent((event: string | null) => {
    if (event === "checkout.succeeded") showDesktopNotification(person, t("paid"));
    if (event === "checkout.failed") showDesktopNotification(person, t("failed"));
  });
  useEffect(() => {
    let stop = () => {};
    let isGone = false;
    const start = async () => {
      const { startLiveConnection } = await import("./live-connection.ts");
      if (!isGone)
        stop = startLiveConnection({ client, scope, person, since: rendered.current, note });
    };
    const timer = setTimeout(() => {
      // If the code cannot be loaded, pages keep polling.
      if ("requestIdleCallback" in window)
        requestIdleCallback(() => void start().catch(() => {}));
      else void start().catch(() => {});
    }, AFTER);
    return () => {
      isGone = true;
      clearTimeout(timer);
      stop();
    };
  }, [client, scope, person]);
  return null;
}

/** Shows an icon and a text while the stream is interrupted, else nothing. */
export function ConnectionIndicator() {
  const t = useTranslations("live.link");
  const link = useConnectionState();
  // An empty element reserves the space.
  if (link === "off" || link === "live")
    return <span aria-hidden data-link={link} className="size-8 shrink-0 max-md:hidden" />;
  const words = t(link);
  return (
    <span
      role="status"
      title={words}
      data-link={link}
      className="flex size-8 shrink-0 items-center justify-center text-muted max-md:hidden max-md:data-[link=polling]:flex"
    >
      {link === "reconnecting" && <RefreshCw aria-hidden className="size-4" />}
      {link === "polling" && <WifiOff aria-hidden className="size-4 text-warning" />}
      <span className="sr-only">{words}</span>
    </span>
  );
}
