import { useTranslations } from "next-intl";
import { useFormat, useScope } from "#components/context/seller-context.tsx";
import type { HandMethod } from "#contract/names.ts";
import type { RecordedPayment } from "#contract/recorded-payments.ts";
import { paymentPhotoPath } from "#lib/collection/by-hand/queries.ts";

interface PaymentLinesProps {
  lines: (string | null | false)[];
  /** The id of the recorded payment, if it has a photo. */
  photo?: string | null;
}

/** Details of a payment, refund or request as one line, with a link to the photo if there is one. */
export function PaymentLines({ lines, photo = null }: PaymentLinesProps) {
  const t = useTranslations("byHand");
  const scope = useScope();
  return (
    <p className="text-sm wrap-anywhere text-muted">
      {lines.filter(Boolean).join(" · ")}
      {photo && (
        <>
          {" · "}
          <a
            href={paymentPhotoPath(scope, photo)}
            target="_blank"
            rel="noreferrer"
            className="underline underline-offset-2 hover:text-ink"
          >
            {t("seePhoto")}
          </a>
        </>
      )}
    </p>
  );
}

interface RecordedLinesProps {
  payment: RecordedPayment;
  /** Who declined the payment and why, as a sentence. */
  decision?: string | false;
}

/** The details of a recorded payment that waits for approval or was declined. */
export function RecordedLines({ payment, decision = false }: RecordedLinesProps) {
  const t = useTranslations("byHand");
  const format = useFormat();
  const { id, method, reference, received_on, has_photo } = payment;
  return (
    <PaymentLines
      lines={[
        t(`methods.${method as HandMethod}`),
        reference,
        t("receivedOn", { day: format.date(received_on) }),
        t("recordedBy", { name: payment.recorded_by }),
        decision,
      ]}
      photo={has_photo ? id : null}
    />
  );
}
