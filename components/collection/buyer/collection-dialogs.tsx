// Loaded apart from the page: when one of these dialogs opens, or before by `usePreload`.
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { useFormat } from "#components/context/seller-context.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import type { ContactActions } from "#components/collection/state/use-contact-actions.ts";
import { MAX_NOTE_LENGTH, MAX_DAYS_AHEAD } from "#lib/collection/rules.ts";
import { addDays } from "#lib/format/calendar.ts";
import { setGraceAction } from "#lib/collection/actions.ts";

type DayAct = "promise" | "snooze";

interface DialogProps {
  onClose: () => void;
  acts: ContactActions;
}

interface DayDialogProps extends DialogProps {
  act: DayAct;
  today: string;
}

/** Asks for a note, or for a day that the menu does not offer. */
export function ContactDialog({
  act,
  today,
  ...dialog
}: DialogProps & { act: DayAct | "note"; today: string }) {
  return act === "note" ? (
    <NoteDialog {...dialog} />
  ) : (
    <DayDialog {...{ act, today }} {...dialog} />
  );
}

function NoteDialog({ onClose, acts }: DialogProps) {
  const t = useTranslations("collection.acts.note");
  const field = useField();
  return (
    <ActionDialog
      noValidate
      title={t("title")}
      isOpen
      onClose={onClose}
      label={t("save")}
      action={(text: string) => acts.note(text, field.isShown)}
      read={(form) => fieldText(form, "text")}
      onDone={onClose}
    >
      {(error) => (
        <TextField
          ref={field.take}
          id="text"
          name="text"
          label={t("field")}
          hint={t("hint")}
          maxLength={MAX_NOTE_LENGTH}
          autoComplete="off"
          error={error("text")}
        />
      )}
    </ActionDialog>
  );
}

function DayDialog({ act, today, onClose, acts }: DayDialogProps) {
  const t = useTranslations("collection.acts");
  const format = useFormat();
  const { take, isShown } = useField();
  const field = act === "promise" ? "promised_for" : "snoozed_until";
  return (
    <ActionDialog
      noValidate
      title={t(`${act}.title`)}
      isOpen
      onClose={onClose}
      label={t(`${act}.save`)}
      action={(day: string) => acts.saveDay(act, day, format.date(day), isShown)}
      read={(form) => fieldText(form, field)}
      onDone={onClose}
    >
      {(error) => (
        <TextField
          ref={take}
          id={field}
          name={field}
          type="date"
          label={t(`${act}.field`)}
          min={addDays(today, act === "promise" ? 0 : 1)}
          max={addDays(today, MAX_DAYS_AHEAD)}
          error={error(field)}
        />
      )}
    </ActionDialog>
  );
}

/** A ref that focuses the field, and whether the field is still shown when the answer arrives. */
function useField() {
  const [field] = useState(() => {
    let shown: HTMLElement | null = null;
    const take = (element: HTMLElement | null) => {
      shown = element;
      initialFocus(element);
    };
    return { take, isShown: () => shown !== null };
  });
  return field;
}

interface GraceDialogProps {
  /** The grace period set by the seller; null if unset. */
  days: number | null;
  onClose: () => void;
  onDone: () => void;
}

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
