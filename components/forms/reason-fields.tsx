import { useTranslations } from "next-intl";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { GOODWILL_REASONS } from "#lib/money/goodwill-reasons.ts";
import { goodwillProblem, type GoodwillDraft } from "#lib/subscriptions/goodwill/rules.ts";

interface ReasonFieldsProps {
  goodwill: GoodwillDraft;
  setGoodwill: (goodwill: GoodwillDraft) => void;
  /** Whether the user has tried to send: errors are shown only then. */
  isTried: boolean;
}

/** The reason for a goodwill extension or a waived debt. */
export function ReasonFields({ goodwill, setGoodwill, isTried }: ReasonFieldsProps) {
  const t = useTranslations("owed.reason");
  const tOfActs = useTranslations("audit");
  const problem = isTried ? goodwillProblem(goodwill) : null;
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SelectField
        id="goodwill-reason"
        label={t("label")}
        required
        value={goodwill.reason}
        error={problem === "reason" ? t("missing") : undefined}
        onChange={(event) => {
          const reason = GOODWILL_REASONS.find((one) => one === event.target.value) ?? "";
          setGoodwill({ ...goodwill, reason });
        }}
        options={GOODWILL_REASONS.map((reason) => [
          reason,
          tOfActs(`goodwillReasons.${reason}`),
        ])}
      >
        <option value="">{t("choose")}</option>
      </SelectField>
      <TextField
        id="goodwill-words"
        label={t("words")}
        hint={t("kept")}
        maxLength={200}
        isOptional={goodwill.reason !== "other"}
        value={goodwill.words}
        error={problem === "words" ? t("needed") : undefined}
        onChange={(event) => setGoodwill({ ...goodwill, words: event.target.value })}
      />
    </div>
  );
}
