import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import {
  describeLeaveReason,
  LONGEST_LEAVE_WORDS,
  type Leaving,
} from "#lib/money/leave-reasons.ts";

interface LeaveFieldsProps {
  leaving: Leaving;
  setLeaving: (leaving: Leaving) => void;
  /** Whether a reason is needed and was not given. */
  isLacking: boolean;
}

/** Fields for a buyer's reason to leave: from the seller's list, and free text. */
export function LeaveFields({ leaving, setLeaving, isLacking }: LeaveFieldsProps) {
  const t = useTranslations("leaving");
  const { leave_reasons, needs_leave_reason } = useSeller();
  return (
    <div className="mt-4 grid gap-3 sm:grid-cols-2">
      {leave_reasons.length > 0 && (
        <SelectField
          id="leave-reason"
          label={t("label")}
          value={leaving.reason ?? ""}
          error={isLacking ? t("required") : undefined}
          onChange={({ target }) => setLeaving({ ...leaving, reason: target.value || null })}
          options={leave_reasons.map((reason) => [reason, describeLeaveReason(t, reason)])}
        >
          <option value="">{t("notSaid")}</option>
        </SelectField>
      )}
      <TextField
        id="leave-words"
        label={t("words")}
        hint={t("hint")}
        maxLength={LONGEST_LEAVE_WORDS}
        isOptional={!needs_leave_reason}
        value={leaving.words}
        error={isLacking && leave_reasons.length === 0 ? t("required") : undefined}
        onChange={({ target }) => setLeaving({ ...leaving, words: target.value })}
      />
    </div>
  );
}
