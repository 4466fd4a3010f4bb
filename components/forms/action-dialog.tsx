"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import type { FormEvent, ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.ts";
import type { Failure } from "#lib/failure.ts";
import { FailureNotice } from "./failure-notice.tsx";
import { fieldError, unshownPart, useAction } from "./use-action.ts";
import { useInvalidFocus } from "./use-invalid-focus.ts";

type Result<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

interface ActionDialogProps<Input, Value> {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  action: (input: Input) => Promise<Result<Value>>;
  /** What the form asks for; null while something is missing. */
  read: (form: HTMLFormElement) => Input | null;
  /** What the button says it does. */
  label: string;
  /** Leaves to the action what the browser would say of empty fields. */
  noValidate?: boolean;
  /** Said afterwards, where the page does not show what was done. */
  doneText?: string;
  /** Instead of closing and showing the page anew. */
  onDone?: (value: Value) => void;
  /** What the fields say is wrong with them comes from `error`. */
  children: (error: (field: string) => string | undefined) => ReactNode;
}

/** Says what will happen and asks for what it needs, does it, and shows the page as it is then. */
export function ActionDialog<Input, Value>(props: ActionDialogProps<Input, Value>) {
  const { title, isOpen, onClose } = props;
  return (
    <Dialog keepsWords title={title} isOpen={isOpen} onClose={onClose}>
      <ActionForm {...props} />
    </Dialog>
  );
}

/** The form alone, for a dialog of several steps. */
export function ActionForm<Input, Value>({
  action,
  read,
  label,
  noValidate,
  doneText,
  onDone,
  onClose,
  children,
}: Omit<ActionDialogProps<Input, Value>, "title" | "isOpen">) {
  const t = useTranslations("layout.dialog");
  const router = useRouter();
  const { run, isPending, failure } = useAction(action);
  const form = useInvalidFocus(failure);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const input = read(event.currentTarget);
    const done = input === null ? null : await run(input);
    if (!done) return;
    if (onDone) return onDone(done.value);
    onClose();
    if (doneText) showToast({ text: doneText });
    router.refresh();
  }

  const shown = new Set<string>();
  const fields = children((field) => {
    shown.add(field);
    return fieldError(failure, field);
  });
  return (
    <form
      ref={form}
      method="post"
      noValidate={noValidate}
      onSubmit={(event) => void submit(event)}
    >
      <FailureNotice failure={unshownPart(failure, shown)} />
      <div className="grid gap-4">{fields}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{t("cancel")}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}
