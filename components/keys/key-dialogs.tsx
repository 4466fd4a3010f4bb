"use client";

import { useTranslations } from "next-intl";
import { PasswordButton } from "#components/forms/password-button.tsx";
import { fieldText, useScopedAction } from "#components/forms/use-action.tsx";
import { ChoiceCard, ChoiceGroup } from "#components/ui/forms/choices.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { SelectField, TextField } from "#components/ui/forms/fields.tsx";
import { Plus, RotateCw, ShieldAlert, TriangleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { KEY_SCOPES } from "#contract/names.ts";
import { makeKeyAction, revokeKeyAction, rollKeyAction } from "#lib/keys/actions.ts";
import {
  KEY_LIVES,
  KEY_OVERLAPS,
  type KeyOverlap,
  type ListedKey,
  MAX_KEY_NAME_LENGTH,
} from "#lib/keys/rules.ts";
import { IssuingButton } from "./issuing-button.tsx";
import { LastUse } from "./last-use.tsx";
import { TryKey } from "./try-key.tsx";

interface KeyDialogProps {
  listed: ListedKey;
  hasPassword: boolean;
}

interface MakeKeyButtonProps {
  hasPassword: boolean;
  /** The base URL of the billing API for programs; null if unknown. */
  address: string | null;
}

export function MakeKeyButton({ hasPassword, address }: MakeKeyButtonProps) {
  const t = useTranslations("apiKeys");
  return (
    <IssuingButton
      button={{
        look: "primary",
        children: (
          <>
            <Plus aria-hidden className="size-4" />
            {t("make.label")}
          </>
        ),
      }}
      title={t("make.title")}
      label={t("make.submit")}
      after={<TryKey address={address} className="font-medium max-md:min-h-11" />}
      action={useScopedAction(makeKeyAction)}
      read={(form) => ({
        name: fieldText(form, "name"),
        scopes: KEY_SCOPES.filter((scope) =>
          new FormData(form).getAll("scope").includes(scope),
        ),
        life: KEY_LIVES.find((life) => life === fieldText(form, "life")) ?? "90",
        current_password: fieldText(form, "current_password"),
      })}
    >
      {(error) => (
        <>
          <TextField
            ref={initialFocus}
            id="key-name"
            name="name"
            label={t("name.label")}
            hint={t("name.hint")}
            maxLength={MAX_KEY_NAME_LENGTH}
            autoComplete="off"
            error={error("name")}
          />
          <ScopePicker error={error("scopes")} />
          <SelectField
            id="key-life"
            name="life"
            label={t("life.label")}
            hint={t("life.hint")}
            defaultValue="90"
            error={error("life")}
            options={KEY_LIVES.map((life) => [life, t(`life.choices.${life}`)])}
          />
          <CurrentPassword hasPassword={hasPassword} error={error("current_password")} />
        </>
      )}
    </IssuingButton>
  );
}

function ScopePicker({ error }: { error: string | undefined }) {
  const t = useTranslations("apiKeys.scopes");
  return (
    <ChoiceGroup id="scope" label={t("label")} error={error}>
      {KEY_SCOPES.map((scope) => (
        <ChoiceCard
          key={scope}
          type="checkbox"
          name="scope"
          value={scope}
          defaultChecked={scope !== "account"}
          aria-invalid={error ? true : undefined}
          title={t(`${scope}.name`)}
          text={t(`${scope}.text`)}
        />
      ))}
    </ChoiceGroup>
  );
}

export function RollKeyButton({ listed, hasPassword }: KeyDialogProps) {
  const t = useTranslations("apiKeys.roll");
  const { id, own } = listed;
  const name = useKeyName(listed);
  return (
    <IssuingButton
      button={{
        "aria-label": t("of", { name }),
        children: (
          <>
            <RotateCw aria-hidden className="size-4" />
            {t("label")}
          </>
        ),
      }}
      title={t("title", { name })}
      label={t("submit")}
      action={useScopedAction(rollKeyAction)}
      read={(form) => ({
        id,
        overlap: readOverlap(form),
        current_password: fieldText(form, "current_password"),
      })}
    >
      {(error) => (
        <>
          <p className="text-muted">{t(own ? "ownText" : "text")}</p>
          <SelectField
            ref={initialFocus}
            id="key-overlap"
            name="overlap"
            label={t("overlap.label")}
            hint={t("overlap.hint")}
            defaultValue="24"
            error={error("overlap")}
            options={KEY_OVERLAPS.map((overlap) => [overlap, t(`overlap.choices.${overlap}`)])}
          />
          <CurrentPassword hasPassword={hasPassword} error={error("current_password")} />
        </>
      )}
    </IssuingButton>
  );
}

const readOverlap = (form: HTMLFormElement): KeyOverlap =>
  KEY_OVERLAPS.find((overlap) => overlap === fieldText(form, "overlap")) ?? "24";

/** Replaces and revokes a key that others have seen, in one step. */
export function LeakedKeyButton({ listed, hasPassword }: KeyDialogProps) {
  const t = useTranslations("apiKeys.leaked");
  const { id, own } = listed;
  const name = useKeyName(listed);
  return (
    <IssuingButton
      button={{
        look: "quiet",
        className: "text-danger",
        "aria-label": t("of", { name }),
        children: (
          <>
            <ShieldAlert aria-hidden className="size-4" />
            {t("label")}
          </>
        ),
      }}
      title={t("title", { name })}
      label={t("submit")}
      look="danger"
      action={useScopedAction(rollKeyAction)}
      read={(form) => ({
        id,
        overlap: "0" as const,
        current_password: fieldText(form, "current_password"),
      })}
    >
      {(error) => (
        <>
          <p>{t(own ? "ownText" : "text")}</p>
          <StoppedPrograms listed={listed} />
          <CurrentPassword
            isFirst
            hasPassword={hasPassword}
            error={error("current_password")}
          />
        </>
      )}
    </IssuingButton>
  );
}

export function RevokeKeyButton({ listed, hasPassword }: KeyDialogProps) {
  const t = useTranslations("apiKeys.revoke");
  const { id } = listed;
  const name = useKeyName(listed);
  return (
    <PasswordButton
      button={{
        look: "quiet",
        className: "text-danger",
        "aria-label": t("of", { name }),
        children: t("label"),
      }}
      title={t("title", { name })}
      label={t("submit")}
      look="danger"
      doneText={t("done", { name })}
      action={useScopedAction(revokeKeyAction)}
      inputOf={(current_password) => ({ id, current_password })}
      hasPassword={hasPassword}
    >
      <p>{t("text")}</p>
      <StoppedPrograms listed={listed} />
    </PasswordButton>
  );
}

/** A warning: every program with this key stops working, with the time of its last use. */
function StoppedPrograms({ listed }: { listed: ListedKey }) {
  const t = useTranslations("apiKeys.revoke");
  const name = useKeyName(listed);
  return (
    <Notice look="warning" icon={TriangleAlert}>
      <p>{t("stops", { name, digits: listed.last_four })}</p>
      <p>
        <LastUse listed={listed} />
      </p>
    </Notice>
  );
}

function useKeyName({ name }: ListedKey): string {
  const t = useTranslations("apiKeys");
  return name || t("unnamed");
}
