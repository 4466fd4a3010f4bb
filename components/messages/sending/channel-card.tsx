import { useTranslations } from "next-intl";
import { ActionButton } from "#components/forms/action-dialog.tsx";
import { CheckSettings } from "#components/forms/check-settings.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { useFormat, usePermission } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { CircleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
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

/** One way by which messages leave: what is set up, and what can be done with it. */
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
  const format = useFormat();
  const providerName = useProviderName();
  const { provider, per_minute, problem, problem_at, report_url } = setup;
  return (
    <>
      {problem !== null && (
        <Notice look="danger" icon={CircleAlert}>
          <p className="font-medium">
            {t("problem", { at: problem_at ? format.dateTime(problem_at) : "" })}
          </p>
          <p className="wrap-anywhere">{problem}</p>
          <p>{t("mend")}</p>
        </Notice>
      )}
      <dl className="divide-y border-y">
        <FactRow label={t("provider")}>{providerName(provider)}</FactRow>
        <FactRow label={t("limit")}>{t("perMinute", { count: per_minute })}</FactRow>
        <FactRow label={t("report")}>
          <div className="flex items-start justify-between gap-3">
            <code className="min-w-0 text-sm wrap-anywhere">{report_url}</code>
            <CopyButton
              isCompact
              text={report_url}
              label={t("copy")}
              what={t("reportWhat", { channel: name })}
            />
          </div>
          <p className="mt-1 text-xs text-muted">{t("reportHint")}</p>
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
      fullLabel={t("of", { channel: name })}
      more={({ credit }) => (credit === null ? null : t("credit", { credit }))}
    />
  );
}

function RemoveButton({ channel, channels }: ChannelCardProps) {
  const t = useTranslations("sending.remove");
  const name = useTranslations("sending.channel")(channel);
  return (
    <ActionButton
      noValidate
      button={{
        look: "quiet",
        className: "text-danger",
        "aria-label": t("of", { channel: name }),
        children: t("label"),
      }}
      title={t("title", { channel: name })}
      label={t("label")}
      look="danger"
      doneText={t("done", { channel: name })}
      action={useScopedAction(removeChannelAction)}
      read={(form) => ({ channel, current_password: fieldText(form, "current_password") })}
    >
      {(error) => (
        <>
          <p>{t("text")}</p>
          {channels.results.length === 1 && <p className="font-medium">{t("last")}</p>}
          <CurrentPassword
            isFirst
            hasPassword={channels.has_password}
            error={error("current_password")}
          />
        </>
      )}
    </ActionButton>
  );
}
