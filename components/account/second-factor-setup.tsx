"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.ts";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { Dialog, initialFocus } from "#components/ui/overlays/dialog.tsx";
import { QrCode, qrModules } from "#components/ui/qr-code.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { beginSecondFactorAction, confirmSecondFactorAction } from "#lib/account/actions.ts";
import { RecoveryCodeList } from "./recovery-codes.tsx";

interface SecondFactorSetupProps {
  isOpen: boolean;
  onClose: () => void;
  hasPassword: boolean;
}

interface Begun {
  secret: string;
  /** The content of the QR code. */
  uri: string;
}

/** Three steps: the password, the secret and its first code, the recovery codes. */
export function SecondFactorSetup({ isOpen, onClose, hasPassword }: SecondFactorSetupProps) {
  const t = useTranslations("account");
  const router = useRouter();
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);

  function close() {
    onClose();
    setBegun(null);
    setCodes(null);
    router.refresh();
  }

  return (
    <Dialog
      title={codes ? t("recoveryCodes.keep") : t("secondFactor.setUpTitle")}
      isOpen={isOpen}
      onClose={close}
    >
      {codes && <RecoveryCodeList codes={codes} onKept={close} />}
      {!codes && begun && (
        <ActionForm
          noValidate
          action={confirmSecondFactorAction}
          read={(form) => ({ code: fieldText(form, "code") })}
          label={t("secondFactor.switchOn")}
          onClose={close}
          onDone={setCodes}
        >
          {(error) => <Secret {...begun} error={error("code")} />}
        </ActionForm>
      )}
      {!codes && !begun && (
        <ActionForm
          noValidate
          key="password"
          action={beginSecondFactorAction}
          read={(form) => ({ current_password: fieldText(form, "current_password") })}
          label={t("continue")}
          onClose={close}
          onDone={setBegun}
        >
          {(error) => (
            <>
              <p className="text-muted">{t("secondFactor.needed")}</p>
              <CurrentPassword
                isFirst
                hasPassword={hasPassword}
                error={error("current_password")}
              />
            </>
          )}
        </ActionForm>
      )}
    </Dialog>
  );
}

function Secret({ secret, uri, error }: Begun & { error: string | undefined }) {
  const t = useTranslations("account.secondFactor");
  return (
    <>
      <p className="text-muted">{t("scan")}</p>
      <div className="flex flex-wrap items-center gap-4">
        <QrCode modules={qrModules(uri)} label={t("qrCode")} className="size-44" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="text-sm font-medium">{t("secret")}</p>
          <code data-testid="secret" className="text-sm select-all">
            {secret.match(/.{1,4}/g)?.join(" ")}
          </code>
        </div>
      </div>
      <TextField
        ref={initialFocus}
        id="account-code"
        name="code"
        label={t("firstCode")}
        inputMode="numeric"
        autoComplete="one-time-code"
        error={error}
      />
    </>
  );
}
