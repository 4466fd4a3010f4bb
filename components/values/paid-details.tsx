"use client";

import { useTranslations } from "next-intl";
import { useFormat, usePermission, useScope } from "#components/context/seller-context.tsx";
import { paymentPhotoPath } from "#lib/collection/by-hand/queries.ts";
import type { VerifiedPayment } from "#lib/payments/queries.ts";
import { paidWithWord } from "#lib/payments/rules.ts";

interface PaidDetailsProps {
  payment: Pick<VerifiedPayment, "vat" | "method" | "currency" | "later">;
}

/** A payment's VAT, method and refunds, and who recorded it, if the service reports them. */
export function PaidDetails({ payment }: PaidDetailsProps) {
  const { vat, method, currency, later } = payment;
  const t = useTranslations("format");
  const format = useFormat();
  const money = (text: string) => format.money(text, currency ?? "");
  return (
    <>
      {vat !== null && <small>{t("vatWithin", { money: money(vat) })}</small>}
      {method !== null && <small>{t("paidWith", { method: paidWithWord(method) })}</small>}
      {later && <LaterDetails later={later} money={money} />}
    </>
  );
}

interface LaterDetailsProps {
  later: NonNullable<VerifiedPayment["later"]>;
  money: (text: string) => string;
}

function LaterDetails({ later, money }: LaterDetailsProps) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const scope = useScope();
  const mayRead = usePermission("payments:read");
  const { recorded, is_reversed, refunded, refund_owed } = later;
  return (
    <>
      {is_reversed && <small>{t("states.reversed")}</small>}
      {Number(refunded) > 0 && <small>{t("refunded", { amount: money(refunded) })}</small>}
      {Number(refund_owed) > 0 && (
        <small>{t("refundOwed", { amount: money(refund_owed) })}</small>
      )}
      {recorded && (
        <>
          <small>{t("recordedBy", { name: recorded.by })}</small>
          {recorded.approved_by && (
            <small>{t("approvedBy", { name: recorded.approved_by })}</small>
          )}
          <small>{t("receivedOn", { day: format.date(recorded.received_on) })}</small>
          {recorded.reference && <small>{recorded.reference}</small>}
          {mayRead && recorded.has_photo && (
            <small>
              <a
                href={paymentPhotoPath(scope, recorded.id)}
                target="_blank"
                rel="noreferrer"
                className="link"
              >
                {t("seePhoto")}
              </a>
            </small>
          )}
        </>
      )}
    </>
  );
}
