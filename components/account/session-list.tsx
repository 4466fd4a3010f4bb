"use client";

import { useTranslations } from "next-intl";
import { PasswordButton } from "#components/forms/password-button.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { Monitor } from "#components/ui/icons.tsx";
import { revokeOtherSessionsAction, revokeSessionAction } from "#lib/account/actions.ts";
import { type Account, describeDevice } from "#lib/account/rules.ts";

interface SessionListProps extends Pick<Account, "sessions"> {
  hasPassword: boolean;
}

export function SessionList({ sessions, hasPassword }: SessionListProps) {
  const t = useTranslations("account.sessions");
  return (
    <Card aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 pb-2 sm:px-5">
        <CardTitle id="sessions">{t("title")}</CardTitle>
        {sessions.length > 1 && (
          <EndButton
            label={t("endOthers")}
            title={t("endOthers")}
            text={t("endOthersText")}
            action={revokeOtherSessionsAction}
            hasPassword={hasPassword}
          />
        )}
      </div>
      <ul aria-labelledby="sessions" className="divide-y border-t">
        {sessions.map((session) => (
          <SessionRow key={session.key} session={session} hasPassword={hasPassword} />
        ))}
      </ul>
    </Card>
  );
}

interface EndButtonProps {
  label: string;
  title: string;
  /** The id of the element that distinguishes this button from others with the same label. */
  describedBy?: string;
  text: string;
  action: typeof revokeOtherSessionsAction | ReturnType<typeof endingOf>;
  hasPassword: boolean;
}

const endingOf = (key: string) => (input: { current_password: string }) =>
  revokeSessionAction({ ...input, key });

/** Asks for the password, so that a stolen session cannot end the owner's sessions. */
function EndButton({ label, title, describedBy, text, action, hasPassword }: EndButtonProps) {
  return (
    <PasswordButton<{ current_password: string }, number | null>
      title={title}
      label={label}
      button={{ "aria-label": title, "aria-describedby": describedBy }}
      action={action}
      inputOf={(current_password) => ({ current_password })}
      hasPassword={hasPassword}
    >
      <p className="text-muted">{text}</p>
    </PasswordButton>
  );
}

interface SessionRowProps {
  session: Account["sessions"][number];
  hasPassword: boolean;
}

function SessionRow({ session, hasPassword }: SessionRowProps) {
  const t = useTranslations("account");
  const format = useFormat();
  const device = describeDevice(t, session.user_agent);
  const { address } = session;
  const times = {
    begun: format.dateTime(session.created_at.toISOString()),
    seen: format.dateTime(session.last_seen_at.toISOString()),
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-5">
      <Monitor aria-hidden className="size-4 shrink-0 text-muted max-sm:hidden" />
      <div className="min-w-0 flex-1 basis-60">
        <p className="flex flex-wrap items-center gap-x-2 font-medium">
          {device}
          {session.is_current && <Badge tone="accent">{t("sessions.thisOne")}</Badge>}
        </p>
        <p id={`times-${session.key}`} className="text-sm text-muted tabular-nums">
          {address
            ? t("sessions.timesFrom", { ...times, address })
            : t("sessions.times", times)}
        </p>
      </div>
      {!session.is_current && (
        <EndButton
          label={t("sessions.end")}
          title={t("sessions.endOf", { device })}
          describedBy={`times-${session.key}`}
          text={t("sessions.endText")}
          action={endingOf(session.key)}
          hasPassword={hasPassword}
        />
      )}
    </li>
  );
}

/** Recent account activity, so that the owner notices what they did not do. */
export function ActivityList({ events }: Pick<Account, "events">) {
  const t = useTranslations("account");
  const format = useFormat();
  const momentOf = ({ at, address }: Account["events"][number]) => {
    const moment = format.dateTime(at.toISOString());
    return address ? t("activity.from", { moment, address }) : moment;
  };
  return (
    <Card aria-labelledby="activity">
      <div className="px-4 pt-3 pb-2 sm:px-5">
        <CardTitle id="activity">{t("activity.title")}</CardTitle>
        <p className="text-sm text-muted">{t("activity.text")}</p>
      </div>
      <ul aria-labelledby="activity" className="divide-y border-t">
        {events.map((event) => (
          <li
            key={event.id}
            className="flex flex-wrap justify-between gap-x-6 px-4 py-2 sm:px-5"
          >
            <span>{t(`events.${event.kind}`)}</span>
            <span className="text-sm text-muted tabular-nums">{momentOf(event)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
