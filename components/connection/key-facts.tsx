import { CircleCheck, CircleX, ShieldAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Moment } from "#components/values/moment.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import type { ConnectionDetails } from "#lib/connection/queries.ts";
import type { ConnectionState } from "#lib/connection/rules.ts";

const REFUSED = { icon: CircleX, className: "bg-danger-soft text-danger" };
const LOOKS = {
  good: { icon: CircleCheck, className: "bg-active-soft text-active" },
  unverified: {
    icon: ShieldAlert,
    className: "bg-warning-soft text-warning",
  },
  refused: REFUSED,
  undecryptable: REFUSED,
} satisfies Partial<Record<ConnectionState, BadgeLook>>;

const hasLook = (state: ConnectionState): state is keyof typeof LOOKS => state in LOOKS;

/** The stored key's facts, never the key itself. */
export function KeyFacts({ details }: { details: ConnectionDetails }) {
  const t = useTranslations("connection");
  const { state, last4, set_at, set_by, last_success_at, last_refusal_at, host } = details;
  return (
    <dl className="divide-y border-y">
      <Fact name={t("facts.key")}>
        <span aria-hidden className="text-faint">
          ••••
        </span>
        {t.rich("facts.endsIn", {
          digits: last4 ?? "",
          label: (text) => <span className="sr-only">{text}</span>,
          last: (text) => <span className="font-mono">{text}</span>,
        })}
      </Fact>
      <Fact name={t("facts.state")}>
        {hasLook(state) && <Badge {...LOOKS[state]}>{t(`states.${state}`)}</Badge>}
      </Fact>
      <Fact name={t("facts.set")}>
        {t.rich(set_by ? "facts.setBy" : "facts.setHere", {
          name: set_by ?? "",
          moment: () => <MomentOrNone iso={set_at} />,
        })}
      </Fact>
      <Fact name={t("facts.lastSuccess")}>
        <MomentOrNone iso={last_success_at} />
      </Fact>
      <Fact name={t("facts.lastRefusal")}>
        <MomentOrNone iso={last_refusal_at} />
      </Fact>
      <Fact name={t("facts.host")}>{host}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 py-2 sm:grid-cols-[9rem_minmax(0,1fr)]">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function MomentOrNone({ iso }: { iso: string | null }) {
  const t = useTranslations("connection.facts");
  return iso ? <Moment iso={iso} /> : <span className="text-muted">{t("never")}</span>;
}
