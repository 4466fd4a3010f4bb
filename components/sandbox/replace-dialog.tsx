"use client";

import { useTranslations } from "next-intl";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { type ActionResult, fieldText } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, initialFocus } from "#components/ui/overlays/dialog.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import type { Scope } from "#lib/scope.ts";
import { SandboxFailure, useSandboxAction } from "./use-sandbox-action.tsx";

interface ReplaceDialogProps<Input> {
  title: string;
  label: string;
  isOpen: boolean;
  onClose: () => void;
  action: (scope: Scope, input: Input) => Promise<ActionResult<{ undo: number | null }>>;
  input: Input;
  /** @param undo the saved state before it, or null */
  onDone: (undo: number | null) => void;
  /** Describes the new data. */
  children: ReactNode;
}

/** Confirms the replacement of the sandbox's data by typing the seller's name. */
export function ReplaceDialog<Input>(props: ReplaceDialogProps<Input>) {
  const { title, isOpen, onClose } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <ReplaceForm {...props} />
    </Dialog>
  );
}

function ReplaceForm<Input>({
  label,
  action,
  input,
  onClose,
  onDone,
  children,
}: ReplaceDialogProps<Input>) {
  const t = useTranslations("sandbox.replace");
  const id = useId();
  const { name } = useSeller();
  const [problem, setProblem] = useState<string>();
  const { run, isPending, failure } = useSandboxAction(action);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const isName = sameName(fieldText(event.currentTarget, "name"), name);
    setProblem(isName ? undefined : t("wrongName"));
    const done = isName && (await run(input));
    if (done) onDone(done.value.undo);
  }

  return (
    <form method="post" noValidate onSubmit={(event) => void submit(event)}>
      <SandboxFailure failure={failure} />
      <p>{children}</p>
      <ul className="my-3 list-disc space-y-1 pl-5 text-muted">
        <li>
          {t.rich("deletes", {
            name,
            strong: (words) => <strong className="font-medium text-ink">{words}</strong>,
          })}
        </li>
        <li>{t("clock")}</li>
        <li>{t("keeps")}</li>
        <li>{t("live")}</li>
      </ul>
      <TextField
        id={id}
        name="name"
        label={t("type", { name })}
        autoComplete="off"
        ref={initialFocus}
        error={problem}
      />
      {isPending && (
        <p role="status" className="mt-3 text-sm text-muted">
          {t("pending")}
        </p>
      )}
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("keep")}</Button>
        <Button type="submit" look="danger" isPending={isPending}>
          {label}
        </Button>
      </div>
    </form>
  );
}

const sameName = (typed: string, name: string) => fold(typed) === fold(name);
const fold = (text: string) => text.normalize("NFC").replace(/\s+/g, " ").trim().toLowerCase();
