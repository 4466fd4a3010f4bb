import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { AccountPayment } from "#contract/payments.ts";
import type { PaymentTask, RecordedPayment, Refund } from "#contract/recorded-payments.ts";
import type { DisputeState, RecordedState } from "#contract/names.ts";
import { amountLeft } from "#contract/amount.ts";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
} from "#components/context/seller-context.tsx";
import { FailureLine } from "#components/forms/failure-panel.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { DownloadLink } from "#components/ui/download-link.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { useToPay } from "#components/values/to-pay.tsx";
import { Moment } from "#components/values/day.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { cn } from "#lib/cn.ts";
import { failureOf } from "#lib/failure.ts";
import { paidByHandQuery, type PaidByHand } from "#lib/collection/by-hand/queries.ts";
import { billPath } from "#lib/payments/queries.ts";
import { paidWithWord } from "#lib/payments/rules.ts";
import { MONEY_TO_CHECK } from "#lib/payments/tasks/rules.ts";
import { BuyerRequestsCard } from "./buyer-requests.tsx";
import { ApprovalButtons, CheckButtons, ReverseButton, SendBillButton } from "./decisions.tsx";
import { PaymentLines, RecordedLines } from "./payment-lines.tsx";
import { RecordPaymentButton } from "./record-payment.tsx";
import { RefundButton, RefundLine } from "./refunds.tsx";

interface ByHandCardProps {
  subscription: Subscription;
  /** Whether the record is still being read; its answer has the card's data. */
  isOpening: boolean;
}

/**
 * Records payments made outside the checkout, and shows the subscription's payments, refunds and tasks;
 * for another service, only notes.
 */
export function ByHandCard({ subscription, isOpening }: ByHandCardProps) {
  const t = useTranslations("byHand");
  const { subscription_id, product } = subscription;
  const mayRead = usePermission("payments:read");
  const mayRecord = usePermission("payments:record");
  const toPay = useToPay();
  const query = useQuery({
    ...paidByHandQuery(useScope(), subscription_id),
    enabled: mayRead && !isOpening,
  });
  if (!mayRead) return null;
  const { data } = query;
  return (
    <>
      {data?.service === "own" && <BuyerRequestsCard requests={data.requests} before={null} />}
      <Card
        aria-labelledby="by-hand-title"
        aria-busy={query.isPending}
        className="my-4 p-4 sm:p-5"
      >
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0 flex-[1_1_16rem]">
            <CardTitle id="by-hand-title">{t("title")}</CardTitle>
            <p
              className={cn(
                "mt-1 text-sm text-pretty text-muted",
                query.isPending && "invisible",
              )}
            >
              {t(data?.service === "other" ? "note.text" : "text")}
            </p>
          </div>
          {mayRecord && data && (
            <RecordPaymentButton
              subscription_id={subscription_id}
              to_pay={toPay ? toPay(product) : null}
            />
          )}
        </div>
        {query.error && !data && (
          <div className="mt-3">
            <FailureLine failure={failureOf(query.error)} query={query} />
          </div>
        )}
        {data?.service === "other" && <Notes notes={data.notes} />}
        {data?.service === "own" && <Kept found={data} />}
      </Card>
    </>
  );
}

function Notes({ notes }: Pick<Extract<PaidByHand, { service: "other" }>, "notes">) {
  const t = useTranslations("byHand");
  const format = useFormat();
  if (notes.length === 0) return null;
  return (
    <ul className="mt-3 divide-y border-t">
      {notes.map((note) => (
        <li key={note.id} className="grid gap-2 py-3">
          <p>
            <Badge tone="pending">{t("tasks.note")}</Badge>{" "}
            <span className="font-medium tabular-nums">
              {format.money(note.amount, note.currency)}
            </span>
          </p>
          <p className="text-sm wrap-anywhere text-muted">
            {[
              t(`methods.${note.method}`),
              note.reference,
              t("receivedOn", { day: format.date(note.received_on) }),
              t("tasks.notedBy", { name: note.person_name }),
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
          <CheckButtons id={note.id} />
        </li>
      ))}
    </ul>
  );
}

function Kept({ found }: { found: Extract<PaidByHand, { service: "own" }> }) {
  const t = useTranslations("byHand");
  const { refusal, recorded, refunds, payments, to_check, has_channel } = found;
  // Recorded payments that count are in the list of payments.
  const undecided = recorded.filter(({ state }) => state === "waiting" || state === "declined");
  return (
    <>
      {to_check.length > 0 && <ToCheck tasks={to_check} />}
      {refusal && <p className="mt-3 text-sm text-muted">{refusal}</p>}
      {refunds.map(
        (refund) =>
          refund.payment_id === null && (
            <div key={refund.id} className="mt-3">
              <RefundLine refund={refund} />
            </div>
          ),
      )}
      {undecided.length + payments.length > 0 && (
        <ul aria-label={t("list")} className="mt-3 divide-y border-t">
          {undecided.map((payment) => (
            <Undecided key={payment.id} payment={payment} />
          ))}
          {payments.map((payment) => (
            <Paid
              key={payment.payment_id}
              payment={payment}
              reversal={recorded.find((one) => one.payment_id === payment.payment_id) ?? null}
              refunds={refunds.filter((one) => one.payment_id === payment.payment_id)}
              hasChannel={has_channel}
            />
          ))}
        </ul>
      )}
    </>
  );
}

/** The decisions about this subscription's money that a member has to take. */
function ToCheck({ tasks }: { tasks: PaymentTask[] }) {
  const t = useTranslations("byHand.tasks");
  const format = useFormat();
  return (
    <Notice look="warning" icon={TriangleAlert} className="mt-3">
      <p className="font-medium">{t("title")}</p>
      <ul className="mt-1 grid gap-0.5">
        {tasks.map(({ id, provider_label, amount, currency, opened_at }) => (
          <li key={id} className="wrap-anywhere tabular-nums">
            {[
              amount !== null && format.money(amount, currency ?? ""),
              provider_label,
              format.date(opened_at),
            ]
              .filter(Boolean)
              .join(" · ")}
          </li>
        ))}
      </ul>
      <ScopedLink
        href={MONEY_TO_CHECK}
        className="mt-1 inline-flex items-center rounded font-medium underline underline-offset-2 max-md:min-h-11"
      >
        {t("see")}
      </ScopedLink>
    </Notice>
  );
}

function Undecided({ payment }: { payment: RecordedPayment }) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const { state, amount, currency } = payment;
  return (
    <li className="grid gap-2 py-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={state === "waiting" ? "pending" : "inactive"}>
          {t(`states.${state as RecordedState}`)}
        </Badge>
        <span className="font-medium tabular-nums">{format.money(amount, currency)}</span>
      </p>
      <RecordedLines
        payment={payment}
        decision={
          state === "declined" &&
          t("declinedBy", { name: payment.decided_by ?? "", reason: payment.reason ?? "" })
        }
      />
      {state === "waiting" && <ApprovalButtons payment={payment} />}
    </li>
  );
}

interface PaidProps {
  payment: AccountPayment;
  /** The recorded payment behind this payment; null for a payment at the checkout. */
  reversal: RecordedPayment | null;
  refunds: Refund[];
  hasChannel: boolean;
}

function Paid({ payment, reversal, refunds, hasChannel }: PaidProps) {
  const t = useTranslations("byHand");
  const tOfMethods = useTranslations("format");
  const format = useFormat();
  const scope = useScope();
  const mayRecord = usePermission("payments:record");
  const mayRefund = usePermission("payments:refund");
  const { payment_id, subscription_id, amount, currency, recorded } = payment;
  const money = (text: string) => format.money(text, currency);
  const isReversed = payment.reversed_at !== null;
  const going = refunds.filter(({ state, ended_at }) => state !== "refused" || !ended_at);
  const left = going.reduce((rest, one) => amountLeft(rest, one.amount) ?? "0.00", amount);
  return (
    <li className="grid gap-2 py-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className={isReversed ? "tabular-nums line-through" : "font-medium tabular-nums"}>
          {money(amount)}
        </span>
        <span>{tOfMethods("paidWith", { method: paidWithWord(payment.method) })}</span>
        <span className="text-sm text-muted">
          <Moment iso={payment.paid_at} />
        </span>
        {isReversed && <Badge tone="danger">{t("states.reversed")}</Badge>}
      </p>
      {recorded && (
        <PaymentLines
          lines={[
            recorded.reference,
            t("receivedOn", { day: format.date(recorded.received_on) }),
            t("recordedBy", { name: recorded.by }),
            recorded.approved_by && t("approvedBy", { name: recorded.approved_by }),
          ]}
          photo={recorded.has_photo ? recorded.id : null}
        />
      )}
      <Disputed {...{ payment, money }} />
      {isReversed && reversal && (
        <p className="text-sm wrap-anywhere text-muted">
          {t("reversedBy", { name: reversal.decided_by ?? "", reason: reversal.reason ?? "" })}{" "}
          {t("stays")}
        </p>
      )}
      {refunds.map((refund) => (
        <RefundLine key={refund.id} refund={refund} />
      ))}
      <div className="flex flex-wrap gap-2">
        {payment.bill_id !== null && (
          <>
            <DownloadLink href={billPath(scope, payment.bill_id)}>{t("bill")}</DownloadLink>
            {hasChannel && (
              <SendBillButton
                bill_id={payment.bill_id}
                subscription_id={subscription_id}
                buyer={payment.customer.full_name}
              />
            )}
          </>
        )}
        {!isReversed && mayRefund && left !== "0.00" && (
          <RefundButton {...{ payment_id, subscription_id, left, currency }} />
        )}
        {!isReversed && mayRecord && recorded && going.length === 0 && (
          <ReverseButton recorded_id={recorded.id} subscription_id={subscription_id} />
        )}
      </div>
    </li>
  );
}

interface DisputedProps {
  payment: AccountPayment;
  money: (text: string) => string;
}

/** The state of the buyer's dispute, in words. */
function Disputed({ payment: { dispute }, money }: DisputedProps) {
  const t = useTranslations("byHand");
  if (dispute === null) return null;
  const { state, amount, fee } = dispute;
  const word = state === "open" && amount === "0.00" ? "asked" : (state as DisputeState);
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {t(`dispute.${word}`, { amount: money(amount) })}
      {fee !== null && fee !== "0.00" && ` ${t("dispute.fee", { amount: money(fee) })}`}
    </p>
  );
}
