import { useTranslations } from "next-intl";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { Moment } from "#components/values/day.tsx";
import { useChannelName } from "#components/values/message-words.tsx";
import type { ReminderPreview } from "#contract/reminders.ts";
import type { SellerLanguage } from "#lib/messages/reminders/rules.ts";

interface StepPreviewProps {
  of: string;
  results: ReminderPreview["results"];
  languages: SellerLanguage[];
}

/** The messages that a step would send next, as their buyers would read them. */
export function StepPreview({ of, results, languages }: StepPreviewProps) {
  const t = useTranslations("reminders.preview");
  return (
    <div role="group" aria-labelledby={`${of}-preview`} className="rounded-md bg-sunken p-3">
      <h4 id={`${of}-preview`} className="text-sm font-medium">
        {t("title")}
      </h4>
      {results.length === 0 ? (
        <p className="mt-1 text-sm text-muted">{t("none")}</p>
      ) : (
        <ul className="mt-2 grid gap-3">
          {results.map((result) => (
            <li key={result.subscription_id}>
              <PreviewedMessage {...{ result, languages }} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface PreviewedMessageProps extends Pick<StepPreviewProps, "languages"> {
  result: StepPreviewProps["results"][number];
}

function PreviewedMessage({ result, languages }: PreviewedMessageProps) {
  const t = useTranslations("reminders.preview");
  const format = useFormat();
  const channelName = useChannelName();
  const { full_name, to, at, channel, language, asked_language, subject, text, parts } = result;
  const nameOf = (asked: string) => languages.find(({ code }) => code === asked)?.name ?? asked;
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <ScopedLink
          href={`/subscriptions/${encodeURIComponent(result.subscription_id)}`}
          className="link"
        >
          {full_name || to}
        </ScopedLink>
        <span className="tabular-nums">{format.money(result.amount, result.currency)}</span>
        <span className="text-muted">
          <Moment iso={at} />
        </span>
        {channel !== null && (
          <span className="text-muted">{t("to", { channel: channelName(channel), to })}</span>
        )}
      </p>
      {channel === null && <p className="text-sm text-warning">{t("unreachable")}</p>}
      {asked_language && (
        <p className="text-sm text-warning">
          {t("otherLanguage", { asked: nameOf(asked_language), language: nameOf(language) })}
        </p>
      )}
      <div
        lang={language}
        dir="auto"
        className="mt-1 rounded-lg rounded-tl-sm bg-surface px-3 py-2 wrap-anywhere whitespace-pre-line shadow-card"
      >
        {channel === "email" && <p className="mb-1 font-medium">{subject}</p>}
        {text}
      </div>
      {channel === "sms" && (
        <p className="mt-1 text-xs text-muted tabular-nums">{t("parts", { count: parts })}</p>
      )}
    </>
  );
}
