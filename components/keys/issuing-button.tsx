"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ComponentProps, type ReactNode, useState } from "react";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import type { ActionResult } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { Dialog, initialFocus } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";

interface Issued {
  /** The new key; null if the dashboard stored it itself. */
  key: string | null;
  name: string;
}

interface IssuingButtonProps<Input> {
  button: ComponentProps<typeof Button>;
  title: string;
  label: string;
  look?: "primary" | "danger";
  action: (input: Input) => Promise<ActionResult<Issued>>;
  read: (form: HTMLFormElement) => Input;
  children: (error: (field: string) => string | undefined) => ReactNode;
  /** Content below a new key. */
  after?: ReactNode;
}

/** A button with a dialog that issues a key and then shows it once. */
export function IssuingButton<Input>(props: IssuingButtonProps<Input>) {
  const { button, title, label, look, action, read, children, after } = props;
  const t = useTranslations("apiKeys.issued");
  const router = useRouter();
  const [isOpen, setOpen] = useState(false);
  const [issued, setIssued] = useState<Issued | null>(null);

  function close() {
    setOpen(false);
    // Not earlier: the refreshed list lacks the row of a replaced key, which contains this dialog.
    if (issued) router.refresh();
    setIssued(null);
  }

  function done(made: Issued) {
    if (made.key !== null) return setIssued(made);
    setOpen(false);
    showToast({ text: t("stored") });
    router.refresh();
  }

  return (
    <>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)} {...button} />
      <Dialog
        keepsWords
        title={issued ? t("title", { name: issued.name }) : title}
        isOpen={isOpen}
        onClose={close}
      >
        {issued?.key ? (
          <IssuedKey text={issued.key} after={after} onDone={close} />
        ) : (
          <ActionForm
            noValidate
            label={label}
            {...(look && { look })}
            action={action}
            read={read}
            onClose={close}
            onDone={done}
          >
            {children}
          </ActionForm>
        )}
      </Dialog>
    </>
  );
}

interface IssuedKeyProps {
  text: string;
  after: ReactNode;
  onDone: () => void;
}

/** A new key, which cannot be shown again because it is not stored. */
function IssuedKey({ text, after, onDone }: IssuedKeyProps) {
  const t = useTranslations("apiKeys.issued");
  return (
    <div className="grid gap-4">
      <Notice look="warning" icon={TriangleAlert}>
        {t("once")}
      </Notice>
      <TextField
        ref={initialFocus}
        id="issued-key"
        label={t("label")}
        readOnly
        value={text}
        spellCheck={false}
        onFocus={(focused) => focused.currentTarget.select()}
      />
      {after}
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button className="h-9" onClick={onDone}>
          {t("done")}
        </Button>
        <CopyButton text={text} label={t("copy")} look="primary" />
      </div>
    </div>
  );
}
