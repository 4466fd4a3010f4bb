"use client";

import { Monitor } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { FailureNotice } from "#components/layout/failure-notice.tsx";
import { useAction } from "#components/layout/use-action.ts";
import { useFormat } from "#components/layout/use-format.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { revokeOtherSessionsAction, revokeSessionAction } from "#lib/account/actions.ts";
import { describeDevice, type Account } from "#lib/account/rules.ts";

/** Where the account is signed in now. */
export function SessionList({ sessions }: Pick<Account, "sessions">) {
  const t = useTranslations("account.sessions");
  const router = useRouter();
  const others = useAction(revokeOtherSessionsAction);
  return (
    <Card aria-labelledby="sessions">
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3 pb-2 sm:px-5">
        <CardTitle id="sessions">{t("title")}</CardTitle>
        {sessions.length > 1 && (
          <Button
            isPending={others.isPending}
            onClick={() => void others.run({}).then((done) => done && router.refresh())}
          >
            {t("endOthers")}
          </Button>
        )}
      </div>
      <FailureNotice failure={others.failure} />
      <ul aria-labelledby="sessions" className="divide-y border-t">
        {sessions.map((session) => (
          <SessionRow key={session.key} session={session} />
        ))}
      </ul>
    </Card>
  );
}

function SessionRow({ session }: { session: Account["sessions"][number] }) {
  const router = useRouter();
  const t = useTranslations("account");
  const format = useFormat();
  const { run, isPending, failure } = useAction(revokeSessionAction);
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
          {session.is_current && (
            <Badge className="bg-accent-soft text-accent">{t("sessions.thisOne")}</Badge>
          )}
        </p>
        <p className="text-sm text-muted tabular-nums">
          {address
            ? t("sessions.timesFrom", { ...times, address })
            : t("sessions.times", times)}
        </p>
        <FailureNotice failure={failure} />
      </div>
      {!session.is_current && (
        <Button
          isPending={isPending}
          aria-label={t("sessions.endOf", { device })}
          onClick={() => void run({ key: session.key }).then(() => router.refresh())}
        >
          {t("sessions.end")}
        </Button>
      )}
    </li>
  );
}
