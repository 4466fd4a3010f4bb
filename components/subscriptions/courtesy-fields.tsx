import { useTranslations } from "next-intl";
import { SelectField } from "#components/ui/select-field.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import {
  COURTESY_REASONS,
  courtesyProblem,
  NO_COURTESY,
  type CourtesyDraft,
} from "#lib/subscriptions/courtesy/rules.ts";

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
  const tOfActs = useTranslations("audit");
  const problem = isTried && courtesy ? courtesyProblem(courtesy) : null;
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
      {courtesy && (
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            id="courtesy-reason"
            label={t("reason")}
            required
            value={courtesy.reason}
            error={problem === "reason" ? t("noReason") : undefined}
            onChange={(event) => {
              const reason = COURTESY_REASONS.find((one) => one === event.target.value) ?? "";
              setCourtesy({ ...courtesy, reason });
            }}
          >
            <option value="">{t("choose")}</option>
            {COURTESY_REASONS.map((reason) => (
              <option key={reason} value={reason}>
                {tOfActs(`courtesies.${reason}`)}
              </option>
            ))}
          </SelectField>
          <TextField
            id="courtesy-words"
            label={t("words")}
            hint={t("kept")}
            maxLength={200}
            isOptional={courtesy.reason !== "other"}
            value={courtesy.words}
            error={problem === "words" ? t("needed") : undefined}
            onChange={(event) => setCourtesy({ ...courtesy, words: event.target.value })}
          />
        </div>
      )}
    </fieldset>
  );
}
