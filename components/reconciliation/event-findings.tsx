import { useTranslations } from "next-intl";
import { Moment } from "#components/values/moment.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { EventReport } from "#lib/search-index/compare/queries.ts";
import { STATUSES } from "#lib/subscriptions/search.ts";
import { Named, RecordLink } from "./named.tsx";

/** What webhooks said beside what was seen: they are only ever hints. */
export function EventFindings({ events }: { events: EventReport }) {
  const t = useTranslations("reconciliation.events");
  const format = useFormat();
  const nameOf = useStatusName();
  const { since, received, missed, unknown, contrary } = events;
  const counted = (count: number) => ({ count, number: format.count(count) });
  return (
    <Card className="p-4 sm:p-5">
      <CardTitle>{t("title")}</CardTitle>
      {since === null ? (
        <p className="mt-1 text-muted">{t("never")}</p>
      ) : (
        <>
          <p className="mt-1 mb-3 text-muted">
            {t.rich("heard", { ...counted(received), at: () => <Moment iso={since} /> })}
          </p>
          <Named
            found={missed}
            none={t("missed.none")}
            text={t("missed.text", counted(missed.count))}
            keyOf={(one) => one.subscription_id + one.seen_at}
          >
            {(one) =>
              t.rich("missed.row", {
                record: () => <RecordLink id={one.subscription_id} />,
                from: nameOf(one.old_status),
                to: nameOf(one.new_status),
                at: () => <Moment iso={one.seen_at} />,
              })
            }
          </Named>
          <Named
            found={unknown}
            none={t("unknown.none")}
            text={t("unknown.text", counted(unknown.count))}
            keyOf={(one) => one.subscription_id}
          >
            {(one) =>
              t.rich("unknown.row", {
                event: one.event ?? t("nameless"),
                id: one.subscription_id,
                at: () => <Moment iso={one.received_at} />,
              })
            }
          </Named>
          <Named
            found={contrary}
            none={t("contrary.none")}
            text={t("contrary.text", counted(contrary.count))}
            keyOf={(one) => one.subscription_id}
          >
            {(one) =>
              t.rich("contrary.row", {
                record: () => <RecordLink id={one.subscription_id} />,
                said: nameOf(one.said),
                status: nameOf(one.status),
                at: () => <Moment iso={one.received_at} />,
              })
            }
          </Named>
        </>
      )}
    </Card>
  );
}

/** One that a newer service invents is shown in its own word. */
function useStatusName(): (status: string | null) => string {
  const t = useTranslations("reconciliation.statuses");
  return (status) => {
    const known = STATUSES.find((one) => one === status);
    return known ? t(known) : (status ?? t("none"));
  };
}
