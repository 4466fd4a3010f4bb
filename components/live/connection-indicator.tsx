"use client";

import { RefreshCw, WifiOff } from "lucide-react";
import { useTranslations } from "next-intl";
import { useConnectionState } from "#components/context/live-state.ts";

/** Empty while connected; an icon and a text once the stream is interrupted. */
export function ConnectionIndicator() {
  const t = useTranslations("live.link");
  const link = useConnectionState();
  // Reserves its space.
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
