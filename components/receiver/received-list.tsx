import { Inbox } from "lucide-react";
import { useTranslations } from "next-intl";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { Moment } from "#components/values/moment.tsx";
import { ScopedLink } from "#components/context/scoped-link.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import type { ReceivedRow } from "#lib/receiver/queries.ts";
import { effectOf } from "#lib/receiver/rules.ts";
import { examinePath } from "#lib/deliveries/examine/search.ts";
import { receivedPath, type ReceivedSearch } from "#lib/receiver/search.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

interface ReceivedListProps {
  rows: readonly ReceivedRow[];
  next: string | null;
  search: ReceivedSearch;
}

export function ReceivedList({ rows, next, search: { before } }: ReceivedListProps) {
  const t = useTranslations("receiver.latest");
  const scope = useScope();
  return (
    <div className="min-w-0">
      <KeysetList
        before={before}
        next={next}
        pathTo={(cursor) => receivedPath(scope, { before: cursor })}
        words={{ label: t("pages"), newest: t("newest"), older: t("older") }}
        isEmpty={rows.length === 0}
        empty={{ icon: Inbox, title: t("none"), text: t("noneText") }}
        noMatch={null}
        frame={(content) => (
          <Card aria-labelledby="received" className="min-w-0">
            <div className="px-4 pt-4 sm:px-5">
              <CardTitle id="received">{t("title")}</CardTitle>
            </div>
            {content}
          </Card>
        )}
      >
        <ul aria-labelledby="received" className="mt-2 divide-y border-t">
          {rows.map((row) => (
            <Received key={row.id} {...row} />
          ))}
        </ul>
      </KeysetList>
    </div>
  );
}

function Received(row: ReceivedRow) {
  const t = useTranslations("receiver");
  const { id, verdict, reason, event, subscription_id, delivery_id, received_at, has_body } =
    row;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-1 px-4 py-3 sm:px-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <VerdictBadge verdict={verdict} />
        <span className="min-w-0 font-medium break-words">{event ?? t("latest.unnamed")}</span>
        <span className="ml-auto text-sm text-muted">
          <Moment iso={received_at} />
        </span>
      </div>
      <p className="text-sm text-pretty text-muted">
        {t(`reasons.${reason ?? "verified"}`)} {t(`effects.${effectOf(row)}`)}
      </p>
      <p className="flex flex-wrap gap-x-4 text-sm">
        {subscription_id && reason !== "example" && (
          <ScopedLink
            href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
            className="min-h-6 text-accent hover:underline"
          >
            {t("latest.open")}
          </ScopedLink>
        )}
        {has_body && (
          <ScopedLink
            href={examinePath({ received: id })}
            className="min-h-6 text-accent hover:underline"
          >
            {t("latest.examine")}
          </ScopedLink>
        )}
        {delivery_id && <span className="min-w-0 truncate text-faint">{delivery_id}</span>}
      </p>
    </li>
  );
}
