"use client";

import { useTranslations } from "next-intl";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import { Clock3, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { SENDING_CHANNELS } from "#contract/names.ts";
import type { Channels, ChannelsResult } from "#lib/messages/sending/rules.ts";
import { ChannelCard } from "./channel-card.tsx";
import { SendingAbsencePanel } from "./sending-absence.tsx";

export function ChannelSettings({ result }: { result: ChannelsResult }) {
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if ("absence" in result) return <SendingAbsencePanel absence={result.absence} />;
  return <ChannelCards channels={result} />;
}

function ChannelCards({ channels }: { channels: Channels }) {
  const t = useTranslations("sending");
  const format = useFormat();
  const { mode } = useScope();
  const { hour_limit, over_limit } = channels;
  const limit = hour_limit === null ? null : format.count(hour_limit);
  const isMissing = !channels.results.some(({ is_active }) => is_active);
  return (
    <div className="grid max-w-3xl gap-4">
      <div className="grid max-w-2xl gap-2 text-pretty text-muted">
        <p>{t("intro.what")}</p>
        <p>
          {t("intro.order")}
          {mode === "test" && ` ${t("intro.test")}`}
          {limit !== null && ` ${t("intro.limit", { limit })}`}
        </p>
      </div>
      {over_limit && over_limit.count > 0 && limit !== null && (
        <Notice look="warning" icon={Clock3}>
          <p className="font-medium">{t("waiting.title")}</p>
          <p>
            {t("waiting.text", {
              count: over_limit.count,
              limit,
              time: format.time(over_limit.until),
            })}
          </p>
        </Notice>
      )}
      {isMissing && (
        <Notice look={mode === "live" ? "warning" : "info"} icon={TriangleAlert}>
          <p className="font-medium">{t("missing.title")}</p>
          <p>{t(`missing.${mode}`)}</p>
        </Notice>
      )}
      {SENDING_CHANNELS.filter((channel) =>
        channels.providers.some((provider) => provider.channel === channel),
      ).map((channel) => (
        <ChannelCard key={channel} {...{ channel, channels }} />
      ))}
    </div>
  );
}
