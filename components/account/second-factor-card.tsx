"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { ActionButton, ActionDialog, ActionForm } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog, initialFocus } from "#components/ui/overlays/dialog.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import {
  beginSecondFactorAction,
  confirmSecondFactorAction,
  renewRecoveryCodesAction,
  switchOffSecondFactorAction,
} from "#lib/account/actions.ts";
import { QrCode, qrModules } from "#components/ui/qr-code.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { SettingRow } from "./profile-card.tsx";

interface SecondFactorCardProps {
  /** Remaining recovery codes; null while the second factor is off. */
  recoveryCodes: number | null;
  hasPassword: boolean;
}

export function SecondFactorCard({ recoveryCodes, hasPassword }: SecondFactorCardProps) {
  const t = useTranslations("account");
  const router = useRouter();
  const [open, setOpen] = useState<"set_up" | "switch_off" | null>(null);
  const [renewed, setRenewed] = useState<string[] | null>(null);
  const close = () => setOpen(null);
  function closeCodes() {
    setRenewed(null);
    router.refresh();
  }
  const isOn = recoveryCodes !== null;
  const read = (form: HTMLFormElement) => ({
    code: fieldText(form, "code"),
    current_password: fieldText(form, "current_password"),
  });
  const passwordAndCode = (error: (field: string) => string | undefined) => (
    <>
      <CurrentPassword isFirst hasPassword={hasPassword} error={error("current_password")} />
      <TextField
        id="account-code"
        name="code"
        label={t("secondFactor.code")}
        autoComplete="one-time-code"
        hint={t("secondFactor.codeHint")}
        error={error("code")}
      />
    </>
  );
  return (
    <Card className="divide-y">
      <SettingRow
        label={t("secondFactor.label")}
        value={t(isOn ? "secondFactor.on" : "secondFactor.off")}
      >
        <Button aria-haspopup="dialog" onClick={() => setOpen(isOn ? "switch_off" : "set_up")}>
          {t(isOn ? "secondFactor.switchOff" : "secondFactor.setUp")}
        </Button>
      </SettingRow>
      {isOn && (
        <SettingRow
          label={t("recoveryCodes.label")}
          value={t("recoveryCodes.left", { count: recoveryCodes })}
        >
          <ActionButton
            noValidate
            title={t("recoveryCodes.renewTitle")}
            label={t("recoveryCodes.renew")}
            action={renewRecoveryCodesAction}
            read={read}
            onDone={(codes, closeForm) => {
              closeForm();
              setRenewed(codes);
            }}
          >
            {(error) => (
              <>
                <p className="text-muted">{t("recoveryCodes.renewText")}</p>
                {passwordAndCode(error)}
              </>
            )}
          </ActionButton>
        </SettingRow>
      )}
      <SecondFactorSetup isOpen={open === "set_up"} onClose={close} hasPassword={hasPassword} />
      <ActionDialog
        noValidate
        title={t("secondFactor.switchOffTitle")}
        label={t("secondFactor.switchOff")}
        isOpen={open === "switch_off"}
        onClose={close}
        action={switchOffSecondFactorAction}
        read={read}
      >
        {passwordAndCode}
      </ActionDialog>
      <Dialog title={t("recoveryCodes.keep")} isOpen={renewed !== null} onClose={closeCodes}>
        {renewed && <RecoveryCodeList codes={renewed} onKept={closeCodes} />}
      </Dialog>
    </Card>
  );
}

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
function SecondFactorSetup({ isOpen, onClose, hasPassword }: SecondFactorSetupProps) {
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

/** The recovery codes, which are shown only once. */
function RecoveryCodeList({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const t = useTranslations("account.recoveryCodes");
  return (
    <>
      <p className="text-muted">{t("keepText")}</p>
      <ul
        aria-label={t("label")}
        className="my-4 grid gap-x-6 gap-y-1 rounded bg-sunken p-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <CopyButton text={codes.join("\n")} label={t("copyAll")} />
        <Button look="primary" className="h-9" onClick={onKept}>
          {t("kept")}
        </Button>
      </div>
    </>
  );
}
