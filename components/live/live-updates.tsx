"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent, useRef } from "react";
import { showDesktopNotification } from "#components/shell/desktop-notifications.ts";
import { useSeller } from "#components/context/seller-context.tsx";

/** Milliseconds: the page is painted, filled and at work before it. */
const AFTER = 1_500;

/** Once a page: lets it follow what happens elsewhere. */
export function LiveUpdates() {
  const client = useQueryClient();
  const { scope, person, now } = useSeller();
  // What the page shows was read then; the clock goes on.
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
      // Without the code pages look by themselves, as they did before.
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
