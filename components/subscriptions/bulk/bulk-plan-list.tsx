"use client";

import { useTranslations } from "next-intl";
import { useFormat } from "#components/context/seller-context.tsx";
import { ScrollArea } from "#components/ui/card.tsx";
import { ArrowRight } from "#components/ui/icons.tsx";
import { describeItemReason, type ItemPlan } from "#lib/subscriptions/bulk/rules.ts";
import type { Operation } from "#lib/subscriptions/rules.ts";
import type { PlannedItem } from "./bulk-plan.tsx";
import { useStatusLabel } from "#components/subscriptions/subscription-status-badge.tsx";

const VERDICTS = ["change", "already", "refused"] as const satisfies ItemPlan["verdict"][];

interface BulkPlanListProps {
  operation: Operation;
  items: PlannedItem[];
}

export function BulkPlanList({ operation, items }: BulkPlanListProps) {
  const t = useTranslations("bulk.plan");
  const groups = VERDICTS.map((verdict) => ({
    verdict,
    title: t(`verdict.${verdict}`),
    members: items.filter(({ plan }) => plan.verdict === verdict),
  })).filter(({ members }) => members.length > 0);
  const changing = items.filter(({ plan }) => plan.verdict === "change").length;
  return (
    <div className="mt-4 first:mt-0">
      <p role="status" className="font-medium">
        {changing === 0
          ? t("noneChange")
          : t("willChange", { count: changing, total: items.length })}
      </p>
      {changing > 0 && <p className="mt-1 text-sm text-muted">{t(operation)}</p>}
      <ScrollArea label={t("label")} className="mt-3 max-h-[min(22rem,40dvh)]">
        {groups.map(({ verdict, title, members }) => (
          <section key={verdict} aria-label={title} className="last:[&>ul]:border-b-0">
            <h3 className="sticky top-0 border-b bg-canvas px-3 py-1.5 text-xs font-medium text-muted">
              {t("group", { title, count: members.length })}
            </h3>
            <ul className="plan-rows">
              {members.map((item) => (
                <Item key={item.subscription_id} {...{ operation, item }} />
              ))}
            </ul>
          </section>
        ))}
      </ScrollArea>
    </div>
  );
}

function Item({ operation, item }: { operation: Operation; item: PlannedItem }) {
  const t = useTranslations();
  const format = useFormat();
  const { buyer, plan, subscription, subscription_id, owed } = item;
  return (
    <li data-verdict={plan.verdict}>
      <span title={buyer || subscription_id}>{buyer || subscription_id}</span>
      <div>
        {owed && (
          <span className="owed">
            {t("owed.owes", { amount: owed.length > 0 ? format.toPay(...owed) : "…" })}
          </span>
        )}
        {plan.verdict === "change"
          ? subscription && <Change {...{ operation, plan }} status={subscription.status} />
          : describeItemReason(t, format, plan)}
      </div>
    </li>
  );
}

interface ChangeProps {
  operation: Operation;
  plan: PlannedItem["plan"];
  status: string;
}

function Change({ operation, plan, status }: ChangeProps) {
  const t = useTranslations("bulk");
  const nameStatus = useStatusLabel();
  const format = useFormat();
  const date = plan.day && format.date(plan.day);
  if (operation === "cancel")
    return date ? t("plan.endsOn", { date }) : t("plan.endsWithPeriod");
  if (operation === "resume")
    return (
      <BeforeAndAfter
        from={nameStatus(status)}
        to={date ? t("plan.activeOn", { date }) : t("plan.active")}
      />
    );
  return (
    <BeforeAndAfter
      from={date || t("noDate")}
      to={plan.target ? format.date(plan.target) : ""}
    />
  );
}

export function BeforeAndAfter({ from, to }: { from: string; to: string }) {
  const t = useTranslations("bulk");
  return (
    <span className="from-to">
      {t.rich("fromTo", {
        from,
        to,
        hidden: (words) => <span className="sr-only">{words}</span>,
        arrow: () => <ArrowRight aria-hidden />,
        after: (words) => <span className="text-ink">{words}</span>,
      })}
    </span>
  );
}
