import { useTranslations } from "next-intl";
import { fieldError } from "#components/forms/use-action.tsx";
import { CardTitle } from "#components/ui/card.tsx";
import { Checkbox, TextArea } from "#components/ui/forms/fields.tsx";
import type { Failure } from "#lib/failure.ts";
import { describeLeaveReason } from "#lib/money/leave-reasons.ts";

interface LeaveSettingsProps {
  reasons: string[];
  isNeeded: boolean;
  failure: Failure | null;
}

/** The reasons to leave that members choose from when they cancel a subscription. */
export function LeaveSettings({ reasons, isNeeded, failure }: LeaveSettingsProps) {
  const t = useTranslations("leaving");
  return (
    <div className="grid gap-3 border-t pt-4">
      <CardTitle>{t("settings.title")}</CardTitle>
      <TextArea
        id="leave_reasons"
        name="leave_reasons"
        label={t("settings.label")}
        hint={t("settings.hint")}
        rows={6}
        defaultValue={reasons.map((reason) => describeLeaveReason(t, reason)).join("\n")}
        error={fieldError(failure, "leave_reasons")}
      />
      <Checkbox
        name="needs_leave_reason"
        defaultChecked={isNeeded}
        label={t("settings.needed")}
      />
    </div>
  );
}
