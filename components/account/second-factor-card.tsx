"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { ActionDialog } from "#components/forms/action-dialog.tsx";
import { fieldText } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { Card } from "#components/ui/card.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { renewRecoveryCodesAction, switchOffSecondFactorAction } from "#lib/account/actions.ts";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { SecondFactorSetup } from "./second-factor-setup.tsx";
import { SettingRow } from "./setting-row.tsx";

interface SecondFactorCardProps {
  /** Remaining recovery codes; null while the second factor is off. */
  recoveryCodes: number | null;
  hasPassword: boolean;
}

export function SecondFactorCard({ recoveryCodes, hasPassword }: SecondFactorCardProps) {
  const t = useTranslations("account");
  const [open, setOpen] = useState<"set_up" | "switch_off" | "renew" | null>(null);
  const [renewed, setRenewed] = useState<string[] | null>(null);
  const close = () => setOpen(null);
  const isOn = recoveryCodes !== null;
  const ask = {
    read: (form: HTMLFormElement) => ({
      code: fieldText(form, "code"),
      current_password: fieldText(form, "current_password"),
    }),
    onClose: close,
  };
  return (
    <Card className="divide-y">
      <SettingRow
        label={t("secondFactor.label")}
        value={isOn ? t("secondFactor.on") : t("secondFactor.off")}
      >
        {isOn ? (
          <Button aria-haspopup="dialog" onClick={() => setOpen("switch_off")}>
            {t("secondFactor.switchOff")}
          </Button>
        ) : (
          <Button aria-haspopup="dialog" onClick={() => setOpen("set_up")}>
            {t("secondFactor.setUp")}
          </Button>
        )}
      </SettingRow>
      {isOn && (
        <SettingRow
          label={t("recoveryCodes.label")}
          value={t("recoveryCodes.left", { count: recoveryCodes })}
        >
          <Button aria-haspopup="dialog" onClick={() => setOpen("renew")}>
            {t("recoveryCodes.renew")}
          </Button>
        </SettingRow>
      )}
      <SecondFactorSetup isOpen={open === "set_up"} onClose={close} hasPassword={hasPassword} />
      <ActionDialog
        noValidate
        {...ask}
        title={t("secondFactor.switchOffTitle")}
        label={t("secondFactor.switchOff")}
        isOpen={open === "switch_off"}
        action={switchOffSecondFactorAction}
      >
        {(error) => <PasswordAndCode hasPassword={hasPassword} error={error} />}
      </ActionDialog>
      <ActionDialog
        noValidate
        {...ask}
        title={t("recoveryCodes.renewTitle")}
        label={t("recoveryCodes.renew")}
        isOpen={open === "renew"}
        action={renewRecoveryCodesAction}
        onDone={(codes) => {
          close();
          setRenewed(codes);
        }}
      >
        {(error) => (
          <>
            <p className="text-muted">{t("recoveryCodes.renewText")}</p>
            <PasswordAndCode hasPassword={hasPassword} error={error} />
          </>
        )}
      </ActionDialog>
      <RecoveryCodes codes={renewed} onClose={() => setRenewed(null)} />
    </Card>
  );
}

interface PasswordAndCodeProps {
  hasPassword: boolean;
  error: (field: string) => string | undefined;
}

function PasswordAndCode({ hasPassword, error }: PasswordAndCodeProps) {
  const t = useTranslations("account.secondFactor");
  return (
    <>
      <CurrentPassword isFirst hasPassword={hasPassword} error={error("current_password")} />
      <TextField
        id="account-code"
        name="code"
        label={t("code")}
        autoComplete="one-time-code"
        hint={t("codeHint")}
        error={error("code")}
      />
    </>
  );
}
