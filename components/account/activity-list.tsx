"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/values/use-format.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { Account } from "#lib/account/rules.ts";

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
