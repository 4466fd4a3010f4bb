import { useTranslations } from "next-intl";
import { ReasonFields } from "#components/forms/reason-fields.tsx";
import { NO_COURTESY, type CourtesyDraft } from "#lib/subscriptions/goodwill/rules.ts";

interface CourtesyFieldsProps {
  /** Null where the date is moved for no courtesy. */
  courtesy: CourtesyDraft | null;
  setCourtesy: (courtesy: CourtesyDraft | null) => void;
  /** It was to be sent as it is. */
  isTried: boolean;
}

/** Whether the date is moved in the buyer's favour, and why. */
export function CourtesyFields({ courtesy, setCourtesy, isTried }: CourtesyFieldsProps) {
  const t = useTranslations("record.reschedule.courtesy");
  return (
    <fieldset className="mt-4 grid gap-3">
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          className="mt-0.5 size-4 accent-accent-strong"
          checked={courtesy !== null}
          onChange={(event) => setCourtesy(event.target.checked ? NO_COURTESY : null)}
        />
        <span>
          {t("label")}
          <span className="block text-xs text-muted">{t("hint")}</span>
        </span>
      </label>
      {courtesy && <ReasonFields {...{ courtesy, setCourtesy, isTried }} />}
    </fieldset>
  );
}
