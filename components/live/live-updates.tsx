"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef } from "react";
import { showDesktopNotification } from "#components/shell/desktop-notifications.ts";
import { useSeller } from "#components/context/seller-context.tsx";

/** Milliseconds after mount, so that the page renders and hydrates first. */
const AFTER = 1_500;

/** Mounted once per page: keeps it up to date with changes made elsewhere. */
export function LiveUpdates() {
  const client = useQueryClient();
  const { scope, person, now } = useSeller();
  // When the page was rendered; `now` moves on.
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
