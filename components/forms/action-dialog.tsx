"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import type { Failure, FailureText } from "#lib/failure.ts";
import {
  type ActionResult,
  FailureNotice,
  unshownFailure,
  useActionForm,
} from "./use-action.tsx";

interface ActionDialogProps<Input, Value> {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  action: (input: Input) => Promise<ActionResult<Value>>;
  /** Reads the fields; null while a required one is empty. */
  read: (form: HTMLFormElement) => Input | null;
  label: string;
  look?: "primary" | "danger";
  /** Whether only the action validates the fields, not the browser. */
  noValidate?: boolean;
  autoComplete?: "off";
  /**
   * Whether the dialog stays open while the action runs and until the page shows the change: opened
   * again before that, a form would show and send the older values.
   */
  isHeld?: boolean;
  /** The text of a failure, where the general one would mislead. */
  describe?: (failure: Failure) => FailureText;
  /** A toast after success, if the page does not show the change. */
  doneText?: string;
  /** Called after success, in place of closing the dialog and refreshing the page. */
  onDone?: (value: Value, close: () => void) => void;
  /** Renders the fields; `error` returns a field's error. */
  children: (error: (field: string) => string | undefined, isPending: boolean) => ReactNode;
}

/** A dialog that runs an action and refreshes the page. */
export function ActionDialog<Input, Value>(props: ActionDialogProps<Input, Value>) {
  const { title, isOpen, onClose } = props;
  return (
    <Dialog keepsWords title={title} isOpen={isOpen} onClose={onClose}>
      <ActionForm {...props} />
    </Dialog>
  );
}

interface ActionButtonProps<Input, Value> extends Omit<
  ActionDialogProps<Input, Value>,
  "isOpen" | "onClose"
> {
  /** The button that opens the dialog. Its text is the dialog's label unless one is given. */
  button?: ComponentProps<typeof Button>;
}

/** A button that opens an `ActionDialog`. */
export function ActionButton<Input, Value>({
  button,
  ...dialog
}: ActionButtonProps<Input, Value>) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} {...button}>
        {button?.children ?? dialog.label}
      </Button>
      <ActionDialog {...dialog} isOpen={isOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** The form alone, for a dialog of several steps. */
export function ActionForm<Input, Value>({
  action,
  read,
  label,
  look = "primary",
  noValidate,
  autoComplete,
  isHeld = false,
  describe,
  doneText,
  onDone,
  onClose,
  children,
}: Omit<ActionDialogProps<Input, Value>, "title" | "isOpen">) {
  const t = useTranslations("layout.dialog");
  const router = useRouter();
  const [isRefreshing, startRefreshing] = useTransition();
  const {
    form,
    isPending: isRunning,
    failure,
    error,
  } = useActionForm(action, { read, onDone: done });
  const isPending = isRunning || isRefreshing;
  useDialogHold(isHeld && isPending);

  function done(value: Value) {
    if (onDone) return onDone(value, onClose);
    if (!isHeld) onClose();
    if (doneText) showToast({ text: doneText });
    startRefreshing(() => {
      router.refresh();
      if (isHeld) onClose();
    });
  }

  const shown = new Set<string>();
  const fields = children((field) => {
    shown.add(field);
    return error(field);
  }, isPending);
  return (
    <form {...form} {...{ noValidate, autoComplete }}>
      <FailureNotice failure={unshownFailure(failure, shown)} describe={describe} />
      <div className="grid gap-4">{fields}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button type="submit" look={look} isPending={isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}
