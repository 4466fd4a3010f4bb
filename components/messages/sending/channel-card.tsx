import { useTranslations } from "next-intl";
import { CheckSettings } from "#components/forms/check-settings.tsx";
import {
  AddressAtProvider,
  RemoveSetup,
  SetupProblem,
} from "#components/forms/provider-setup.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import type { ChannelSetup } from "#contract/messages.ts";
import type { SendingChannel } from "#contract/names.ts";
import { checkChannelAction, removeChannelAction } from "#lib/messages/sending/actions.ts";
import type { Channels } from "#lib/messages/sending/rules.ts";
import { SetUpButton } from "./channel-form.tsx";
import { useProviderName } from "#components/values/message-words.tsx";
import { SetupBadge } from "#components/values/setup-badge.tsx";
import { TestButton } from "./test-message.tsx";

interface ChannelCardProps {
  channel: SendingChannel;
  channels: Channels;
}

/** A channel for messages: its settings and the actions on it. */
export function ChannelCard({ channel, channels }: ChannelCardProps) {
  const t = useTranslations("sending");
  const setup = channels.results.find((each) => each.channel === channel) ?? null;
  const mayWrite = usePermission("connection:write");
  return (
    <Card aria-labelledby={`channel-${channel}`} className="grid gap-4 p-4 sm:p-5">
      <div>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <CardTitle id={`channel-${channel}`}>{t(`channel.${channel}`)}</CardTitle>
          <SetupBadge setup={setup} />
        </div>
        <p className="mt-1 text-pretty text-muted">{t(`about.${channel}`)}</p>
      </div>
      {setup && <SetupFacts setup={setup} channel={channel} />}
      {mayWrite && (
        <div className="flex flex-wrap items-start gap-2">
          <SetUpButton {...{ channel, channels, setup }} />
          {setup && (
            <>
              <CheckButton channel={channel} />
              <TestButton channel={channel} />
              <RemoveButton {...{ channel, channels }} />
            </>
          )}
        </div>
      )}
    </Card>
  );
}

function SetupFacts({ setup, channel }: { setup: ChannelSetup; channel: SendingChannel }) {
  const t = useTranslations("sending.card");
  const name = useTranslations("sending.channel")(channel);
  const providerName = useProviderName();
  return (
    <>
      <SetupProblem {...{ setup }} title={(at) => t("problem", { at })} advice={t("mend")} />
      <dl className="divide-y border-y">
        <FactRow label={t("provider")}>{providerName(setup.provider)}</FactRow>
        <FactRow label={t("limit")}>{t("perMinute", { count: setup.per_minute })}</FactRow>
        <FactRow label={t("report")}>
          <AddressAtProvider
            url={setup.report_url}
            what={t("reportWhat", { channel: name })}
            hint={t(channel === "email" ? "reportMailHint" : "reportHint")}
          />
        </FactRow>
      </dl>
    </>
  );
}

function CheckButton({ channel }: { channel: SendingChannel }) {
  const t = useTranslations("sending.check");
  const name = useTranslations("sending.channel")(channel);
  return (
    <CheckSettings
      action={checkChannelAction}
      input={{ channel }}
      label={t("label")}
      fullLabel={t("of", { name })}
      more={({ credit }) => (credit === null ? null : t("credit", { credit }))}
    />
  );
}

function RemoveButton({ channel, channels }: ChannelCardProps) {
  const t = useTranslations("sending.remove");
  return (
    <RemoveSetup
      name={useTranslations("sending.channel")(channel)}
      action={removeChannelAction}
      inputOf={(current_password) => ({ channel, current_password })}
      text={t("text")}
      lastText={channels.results.length === 1 ? t("last") : null}
      hasPassword={channels.has_password}
    />
  );
}
