"use client";

import { useTranslations } from "next-intl";
import type { PaymentTaskEnd, PaymentTaskKind } from "#contract/names.ts";
import type { PaymentTask } from "#contract/recorded-payments.ts";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { Badge, type BadgeLook } from "#components/ui/badge.tsx";
import { Card } from "#components/ui/card.tsx";
import {
  CircleHelp,
  EqualNot,
  FileQuestion,
  FileX,
  HandCoins,
  ShieldAlert,
  ShieldX,
  Undo2,
} from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import { TaskButtons } from "./task-decisions.tsx";

const LOOKS: Record<PaymentTaskKind, BadgeLook> = {
  held: { icon: CircleHelp, tone: "warning" },
  refunded_by_provider: { icon: Undo2, tone: "warning" },
  disputed: { icon: ShieldAlert, tone: "danger" },
  denied: { icon: ShieldX, tone: "danger" },
  statement_only: { icon: FileQuestion, tone: "warning" },
  service_only: { icon: FileX, tone: "warning" },
  amount_differs: { icon: EqualNot, tone: "warning" },
  refund_refused: { icon: HandCoins, tone: "danger" },
};

const kindOf = ({ kind }: PaymentTask): PaymentTaskKind | null =>
  Object.hasOwn(LOOKS, kind) ? (kind as PaymentTaskKind) : null;

export function TaskRows({ tasks }: { tasks: PaymentTask[] }) {
  const t = useTranslations("moneyToCheck");
  return (
    <ul aria-label={t("title")} className="grid gap-3">
      {tasks.map((task) => (
        <li key={task.id}>
          <TaskCard task={task} />
        </li>
      ))}
    </ul>
  );
}

function TaskCard({ task }: { task: PaymentTask }) {
  const t = useTranslations("moneyToCheck");
  const format = useFormat();
  const kind = kindOf(task);
  const { subscription_id, full_name, product_name, reference, transaction_id } = task;
  const asked = useMoney(task.amount, task.currency);
  const told = useMoney(task.answered_amount, task.answered_currency ?? task.currency);
  const titleId = `task-${task.id}`;
  return (
    <Card aria-labelledby={titleId} className="grid gap-3 p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Badge {...(kind && LOOKS[kind])}>{t(`kinds.${kind ?? "other"}`)}</Badge>
        <h2 id={titleId} className="min-w-0 font-semibold wrap-anywhere">
          {subscription_id === null ? (
            t("noBuyer")
          ) : (
            <ScopedLink
              href={`/subscriptions/${encodeURIComponent(subscription_id)}`}
              className="underline decoration-line-strong underline-offset-2"
            >
              {full_name ?? subscription_id}
            </ScopedLink>
          )}
        </h2>
        {product_name && <span className="wrap-anywhere text-muted">{product_name}</span>}
      </div>
      <Said task={task} asked={asked} told={told} />
      <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-2 xl:grid-cols-4">
        <Fact label={t("facts.asked")} value={asked} />
        <Fact label={t("facts.told")} value={told} />
        <Fact label={t("facts.reference")} value={reference} />
        <Fact label={t("facts.transaction")} value={transaction_id} />
        <div>
          <dt className="text-muted">{t("facts.since")}</dt>
          <dd>
            <Moment iso={task.opened_at} />
          </dd>
        </div>
        <Fact
          label={t("facts.askedAt")}
          value={task.asked_at && format.dateTime(task.asked_at)}
        />
      </dl>
      {task.closed_at === null ? <TaskButtons task={task} /> : <Ended task={task} />}
    </Card>
  );
}

function useMoney(amount: string | null, currency: string | null): string | null {
  const format = useFormat();
  return amount === null ? null : format.money(amount, currency ?? "");
}

function Fact({ label, value }: { label: string; value: string | null }) {
  if (!value) return null;
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="wrap-anywhere tabular-nums">{value}</dd>
    </div>
  );
}

interface SaidProps {
  task: PaymentTask;
  asked: string | null;
  told: string | null;
}

/** The provider's answer, in a sentence. */
function Said({ task, asked, told }: SaidProps) {
  const t = useTranslations("moneyToCheck");
  const kind = kindOf(task);
  const words = {
    provider: task.provider_label ?? t("provider"),
    asked: asked ?? "",
    told: told ?? "",
    word: task.detail ?? "",
  };
  const sentence =
    kind === "held"
      ? told !== null
        ? t("said.heldAmount", words)
        : t(task.detail === "pending" ? "said.heldPending" : "said.heldWord", words)
      : kind === "refunded_by_provider" && told === null
        ? t("said.refundedPart", words)
        : kind === "disputed"
          ? task.detail === "lost"
            ? t("said.disputedLost", words)
            : task.detail === "asked"
              ? t("said.disputedAsked", words)
              : t(
                  told !== null && told !== asked ? "said.disputedPart" : "said.disputed",
                  words,
                )
          : kind && t(`said.${kind}`, words);
  return (
    <p className="max-w-prose text-pretty">
      {sentence}
      {kind !== "held" && task.detail && kind !== "disputed" && (
        <span className="text-muted"> {t("said.detail", { word: task.detail })}</span>
      )}
    </p>
  );
}

function Ended({ task }: { task: PaymentTask }) {
  const t = useTranslations("moneyToCheck");
  const { decision, closed_at, closed_by, note } = task;
  if (decision === null || closed_at === null) return null;
  return (
    <div className="border-t pt-3 text-sm">
      <p>
        <span className="font-medium">{t(`ends.${decision as PaymentTaskEnd}`)}</span>
        <span className="text-muted">
          {" · "}
          {closed_by ?? t("ends.itself")}
          {" · "}
          <Moment iso={closed_at} />
        </span>
      </p>
      {note && <p className="wrap-anywhere text-muted">{note}</p>}
    </div>
  );
}
