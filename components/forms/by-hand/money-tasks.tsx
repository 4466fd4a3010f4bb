import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CircleHelp, HandCoins, Hourglass, type IconType } from "#components/ui/icons.tsx";
import { moneyTasksQuery } from "#lib/collection/by-hand/queries.ts";
import { MONEY_TO_CHECK } from "#lib/payments/tasks/rules.ts";
import { BuyerRequestsCard } from "./buyer-requests.tsx";
import { ApprovalButtons, CheckButtons } from "./decisions.tsx";
import { PaymentLines, RecordedLines } from "./payment-lines.tsx";
import { RefundButtons, useRefundWords } from "./refunds.tsx";

/**
 * Work that waits for a member: buyers' requests, payments to approve, refunds to make, and notes and
 * provider answers to check.
 */
export function MoneyTasks() {
  const t = useTranslations("byHand");
  const scope = useScope();
  const format = useFormat();
  const mayRead = usePermission("payments:read");
  const refundWords = useRefundWords();
  const { data } = useQuery({ ...moneyTasksQuery(scope), enabled: mayRead });
  const count = data
    ? data.waiting.length + data.refunds.length + data.notes.length + data.to_check
    : 0;
  if (!data) return null;
  const requests = <BuyerRequestsCard {...data.requests} />;
  if (count === 0) return requests;
  return (
    <>
      {requests}
      <Card aria-labelledby="money-tasks-title" className="mb-4 p-4 sm:p-5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <CardTitle id="money-tasks-title">{t("tasks.title")}</CardTitle>
          <p className="text-sm text-muted">{t("tasks.count", { count })}</p>
        </div>
        {data.to_check > 0 && (
          <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            {t("tasks.answers", { count: data.to_check })}
            <ScopedLink
              href={MONEY_TO_CHECK}
              className="inline-flex items-center rounded font-medium underline underline-offset-2 max-md:min-h-11"
            >
              {t("tasks.see")}
            </ScopedLink>
          </p>
        )}
        <ul className="mt-2 divide-y empty:hidden">
          {data.waiting.map((payment) => (
            <Task
              key={payment.id}
              icon={Hourglass}
              what={t("tasks.approval")}
              subscription_id={payment.subscription_id}
              name={payment.full_name}
              amount={format.money(payment.amount, payment.currency)}
              lines={<RecordedLines payment={payment} />}
              buttons={<ApprovalButtons payment={payment} />}
            />
          ))}
          {data.refunds.map((refund) => (
            <Task
              key={refund.id}
              icon={HandCoins}
              what={refundWords(refund).state}
              subscription_id={refund.subscription_id}
              name={refund.full_name}
              amount={format.money(refund.amount, refund.currency)}
              lines={<PaymentLines lines={refundWords(refund).lines} />}
              buttons={<RefundButtons refund={refund} />}
            />
          ))}
          {data.notes.map((note) => (
            <Task
              key={note.id}
              icon={CircleHelp}
              what={t("tasks.note")}
              subscription_id={note.subscription_id}
              name={note.buyer ?? t("tasks.unknownBuyer")}
              amount={format.money(note.amount, note.currency)}
              lines={
                <PaymentLines
                  lines={[
                    t(`methods.${note.method}`),
                    note.reference,
                    t("receivedOn", { day: format.date(note.received_on) }),
                    t("tasks.notedBy", { name: note.person_name }),
                  ]}
                />
              }
              buttons={<CheckButtons id={note.id} />}
            />
          ))}
        </ul>
      </Card>
    </>
  );
}

interface TaskProps {
  icon: IconType;
  what: string;
  subscription_id: string;
  name: string;
  amount: string;
  lines: ReactNode;
  buttons: ReactNode;
}

function Task({ icon, what, subscription_id, name, amount, lines, buttons }: TaskProps) {
  return (
    <li className="grid gap-x-6 gap-y-2 py-3 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge icon={icon} tone="pending">
            {what}
          </Badge>
          <ScopedLink
            href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
            className="font-medium wrap-anywhere underline decoration-line-strong underline-offset-2"
          >
            {name}
          </ScopedLink>
          <span className="font-semibold tabular-nums">{amount}</span>
        </p>
        <div className="mt-1">{lines}</div>
      </div>
      {buttons}
    </li>
  );
}
