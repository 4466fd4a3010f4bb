import { useTranslations } from "next-intl";
import { SelectField } from "#components/ui/forms/select-field.tsx";
import { TextField } from "#components/ui/forms/text-field.tsx";
import {
  COURTESY_REASONS,
  courtesyProblem,
  type CourtesyDraft,
} from "#lib/subscriptions/goodwill/rules.ts";

interface ReasonFieldsProps {
  courtesy: CourtesyDraft;
  setCourtesy: (courtesy: CourtesyDraft) => void;
  /** It was to be sent as it is. */
  isTried: boolean;
}

/** Why something is done in a buyer's favour. */
export function ReasonFields({ courtesy, setCourtesy, isTried }: ReasonFieldsProps) {
  const t = useTranslations("owed.reason");
  const tOfActs = useTranslations("audit");
  const problem = isTried ? courtesyProblem(courtesy) : null;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        id="courtesy-reason"
        label={t("label")}
        required
        value={courtesy.reason}
        error={problem === "reason" ? t("missing") : undefined}
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
  );
}
