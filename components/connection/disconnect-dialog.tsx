"use client";

import { useTranslations } from "next-intl";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { useActionForm } from "#components/forms/use-action-form.ts";
import { fieldText, useScopedAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { disconnectAction } from "#lib/connection/actions.ts";

interface DisconnectDialogProps {
  hasPassword: boolean;
  isOpen: boolean;
  onClose: () => void;
  onDisconnected: () => void;
}

export function DisconnectDialog({ isOpen, onClose, ...props }: DisconnectDialogProps) {
  const t = useTranslations("connection.disconnect");
  const { mode } = useScope();
  return (
    <Dialog title={t("title", { mode })} isOpen={isOpen} onClose={onClose}>
      <DisconnectForm onClose={onClose} {...props} />
    </Dialog>
  );
}

function DisconnectForm({
  hasPassword,
  onClose,
  onDisconnected,
}: Omit<DisconnectDialogProps, "isOpen">) {
  const t = useTranslations("connection.disconnect");
  const { mode } = useScope();
  const { form, isPending, failure, error } = useActionForm(useScopedAction(disconnectAction), {
    read: (fields) => ({ current_password: fieldText(fields, "current_password") }),
    onDone: onDisconnected,
  });
  const wrongPassword = error("current_password");

  return (
    <form {...form} noValidate>
      {!wrongPassword && <FailureNotice failure={failure} />}
      <p>{t("text", { mode })}</p>
      <ul className="my-3 list-disc space-y-1 pl-5 text-muted">
        <li>{t("reads")}</li>
        <li>{t("writes")}</li>
      </ul>
      <p className="mb-4">{t("goesOn")}</p>
      <div className="mb-5">
        <CurrentPassword hasPassword={hasPassword} error={wrongPassword} />
      </div>
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("keep")}</Button>
        <Button type="submit" look="danger" isPending={isPending}>
          {t("label")}
        </Button>
      </div>
    </form>
  );
}
