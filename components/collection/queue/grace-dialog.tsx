import { useTranslations } from "next-intl";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { setGraceAction } from "#lib/collection/actions.ts";

interface GraceDialogProps {
  /** Null while the seller has set none. */
  days: number | null;
  onClose: () => void;
  onDone: () => void;
}

/** Loaded when it first opens. */
export function GraceDialog({ days, onClose, onDone }: GraceDialogProps) {
  const t = useTranslations("collection.grace");
  const set = useScopedAction(setGraceAction);
  return (
    <ActionDialog
      noValidate
      title={t("title")}
      isOpen
      onClose={onClose}
      label={t("save")}
      action={set}
      read={(form) => {
        const text = fieldText(form, "days").trim();
        return { days: text === "" ? null : Number(text) };
      }}
      onDone={onDone}
    >
      {(error) => (
        <TextField
          ref={initialFocus}
          id="days"
          name="days"
          type="number"
          min={0}
          max={90}
          label={t("field")}
          hint={t("hint")}
          defaultValue={days ?? ""}
          error={error("days") && t("invalid")}
        />
      )}
    </ActionDialog>
  );
}
