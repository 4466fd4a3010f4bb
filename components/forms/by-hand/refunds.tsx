import { useTranslations } from "next-intl";
import { useState } from "react";
import type { RefundCause, RefundState } from "#contract/names.ts";
import type { Refund } from "#contract/recorded-payments.ts";
import { useFormat, usePermission } from "#components/context/seller-context.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import {
  confirmRefundAction,
  refundByHandAction,
  refuseRefundAction,
  requestRefundAction,
  retryRefundAction,
} from "#lib/collection/by-hand/actions.ts";
import { AskingButton, ReasonField } from "./decisions.tsx";

const hasEnded = ({ ended_at }: Refund) => ended_at !== null;

/** Texts for a refund's state, its cause, and what a person has to know. */
export function useRefundWords() {
  const t = useTranslations("byHand");
  return (refund: Refund): { state: string; lines: string[] } => {
    const { state, cause, ended_by, reference, place, is_uncertain } = refund;
    const provider = refund.provider_label ?? t("theProvider");
    const refusal = refund.refusal ?? "";
    const lines = [
      cause === "requested"
        ? t("refundBy", { name: refund.requested_by ?? "", reason: refund.reason ?? "" })
        : t(`refundCauses.${cause as Exclude<RefundCause, "requested">}`),
    ];
    if (state === "by_hand" && is_uncertain) lines.push(t("refundUncertain", { provider }));
    else if (state === "by_hand" && place) lines.push(t("refundPlace", { place }));
    if (state === "owed" && refusal)
      lines.push(t("refundAskedAgain", { provider, reason: refusal }));
    if (state === "refused")
      lines.push(
        // A refund that failed at the provider was ended by no member.
        ended_by === null
          ? t("refusedByProvider", { provider, reason: refusal })
          : t("refusedBy", { name: ended_by, reason: refusal }),
      );
    if (state === "done")
      lines.push(
        ended_by === null
          ? t("refundMade", { provider })
          : t("refundEnded", { name: ended_by, reference: reference ?? "" }),
      );
    const isRefusal = state === "refused" && !hasEnded(refund);
    return {
      state: t(isRefusal ? "refundRefused" : `refundStates.${state as RefundState}`),
      lines,
    };
  };
}

/** A refund, with the actions of a member. */
export function RefundLine({ refund }: { refund: Refund }) {
  const format = useFormat();
  const { state, lines } = useRefundWords()(refund);
  const isDone = refund.state === "done";
  return (
    <div className="grid gap-2 rounded border bg-sunken p-3">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={isDone ? "active" : hasEnded(refund) ? "inactive" : "pending"}>
          {state}
        </Badge>
        <span className="font-medium tabular-nums">
          {format.money(refund.amount, refund.currency)}
        </span>
      </p>
      <p className="text-sm wrap-anywhere text-muted">{lines.join(" · ")}</p>
      <RefundButtons refund={refund} />
    </div>
  );
}

/** Confirms a refund, says that it will not be made, or decides about a refused one. */
export function RefundButtons({ refund }: { refund: Refund }) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const mayRefund = usePermission("payments:refund");
  const confirm = useScopedAction(confirmRefundAction);
  const refuse = useScopedAction(refuseRefundAction);
  const retry = useScopedAction(retryRefundAction);
  const byHand = useScopedAction(refundByHandAction);
  const isRefused = refund.state === "refused" && !hasEnded(refund);
  if (!mayRefund || !(refund.state === "by_hand" || isRefused)) return null;
  const { id, subscription_id } = refund;
  const amount = format.money(refund.amount, refund.currency);
  const provider = refund.provider_label ?? t("theProvider");
  return (
    <div className="flex flex-wrap gap-2">
      {isRefused ? (
        <>
          <AskingButton
            button={t("retry.button")}
            title={t("retry.title", { amount })}
            text={t("retry.text", { provider })}
            save={t("retry.button")}
            done={t("retry.done")}
            action={() => retry({ id, subscription_id })}
          />
          <AskingButton
            button={t("handle.button")}
            title={t("handle.title", { amount })}
            text={t("handle.text", { provider })}
            save={t("handle.button")}
            done={t("handle.done")}
            action={() => byHand({ id, subscription_id })}
          />
        </>
      ) : (
        <AskingButton
          button={t("confirm.button")}
          title={t("confirm.title", { amount })}
          save={t("confirm.save")}
          done={t("confirm.done")}
          action={(form) =>
            confirm({ id, subscription_id, reference: fieldText(form, "reference") })
          }
        >
          {(error) => (
            <TextField
              id="reference"
              name="reference"
              autoComplete="off"
              maxLength={200}
              label={t("confirm.reference")}
              hint={t("confirm.referenceHint")}
              error={error("reference")}
            />
          )}
        </AskingButton>
      )}
      {refund.payment_id !== null && (
        <AskingButton
          look="danger"
          button={t("refuse.button")}
          title={t("refuse.title", { amount })}
          save={t("refuse.save")}
          done={t("refuse.done")}
          action={(form) => refuse({ id, subscription_id, reason: fieldText(form, "reason") })}
        >
          {(error) => <ReasonField label={t("refuse.reason")} error={error("reason")} />}
        </AskingButton>
      )}
    </div>
  );
}

interface RefundButtonProps {
  payment_id: string;
  subscription_id: string;
  /** The part of the payment that can still be refunded, as decimal text. */
  left: string;
  currency: string;
}

export function RefundButton({
  payment_id,
  subscription_id,
  left,
  currency,
}: RefundButtonProps) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const request = useScopedAction(requestRefundAction);
  // The idempotency key of one refund: it recognises a repetition of this refund, and the next refund gets
  // a new key.
  const [key, setKey] = useState(() => crypto.randomUUID());
  return (
    <AskingButton<Refund>
      button={t("refund.button")}
      title={t("refund.title")}
      text={t("refund.text")}
      save={t("refund.save")}
      done={({ state, provider_label }) =>
        state === "by_hand"
          ? t("refund.done")
          : t("refund.sent", { provider: provider_label ?? t("theProvider") })
      }
      action={async (form) => {
        const amount = fieldText(form, "amount");
        const reason = fieldText(form, "reason");
        const result = await request({ key, payment_id, subscription_id, amount, reason });
        if (result.ok || result.failure.kind === "validation") setKey(crypto.randomUUID());
        return result;
      }}
    >
      {(error) => (
        <>
          <TextField
            id="amount"
            name="amount"
            inputMode="decimal"
            autoComplete="off"
            label={t("refund.amount")}
            hint={t("refund.amountHint", { amount: format.money(left, currency) })}
            defaultValue={left}
            error={error("amount")}
          />
          <ReasonField label={t("refund.reason")} error={error("reason")} />
        </>
      )}
    </AskingButton>
  );
}
