import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import { useFormat } from "#components/context/seller-context.tsx";
import { ActionForm } from "#components/forms/action-dialog.tsx";
import { PasswordButton } from "#components/forms/password-button.tsx";
import { fieldOf, SettingField, useConflictWords } from "#components/forms/setting-field.tsx";
import {
  type ActionResult,
  fieldText,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { Checkbox } from "#components/ui/forms/fields.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { CircleAlert } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { DialogButton } from "#components/ui/overlays/dialog.tsx";
import type { ProviderSetting } from "#contract/settings.ts";
import { isChangedSince } from "#lib/failure.ts";
import { readSetting } from "#lib/format/provider-settings.ts";
import type { Scope } from "#lib/scope.ts";

interface SetupButtonProps {
  /** The name of the channel or payment provider. */
  name: string;
  isSetUp: boolean;
  /** The form in the dialog. */
  children: (close: () => void) => ReactNode;
}

/** Opens the settings of a channel for messages or of a payment provider. */
export function SetupButton({ name, isSetUp, children }: SetupButtonProps) {
  const t = useTranslations("sending.setUp");
  return (
    <DialogButton
      keepsWords
      aria-label={t(isSetUp ? "changeOf" : "of", { name })}
      look={isSetUp ? "secondary" : "primary"}
      label={t(isSetUp ? "change" : "label")}
      title={t("title", { name })}
    >
      {children}
    </DialogButton>
  );
}

/** Settings that are stored for a provider. */
interface Setup {
  provider: string;
  settings: Record<string, string>;
  secrets_set: string[];
  is_active: boolean;
  version: string;
}

/** The input that every form of a provider's settings sends. */
interface SetupInput {
  settings: Record<string, string>;
  is_active: boolean;
  version: string | null;
  current_password: string;
}

interface SetupFormProps<Input> {
  action: (scope: Scope, input: Input) => Promise<ActionResult<unknown>>;
  /** The provider whose settings are shown. */
  provider: string;
  settings: ProviderSetting[];
  /** Whether the setting is always shown; the others are folded. */
  isShown: (setting: ProviderSetting) => boolean;
  /** The stored settings, maybe of another provider; null before any were stored. */
  setup: Setup | null;
  /** Adds the form's own fields to the common ones; null if a needed field is empty. */
  read: (form: HTMLFormElement, common: SetupInput) => Input | null;
  activeText: string;
  savedText: string;
  hasPassword: boolean;
  onClose: () => void;
  /** Renders the fields around the settings; `error` returns a field's error. */
  children: (
    shown: ReactNode,
    more: { fields: ReactNode[]; isWrong: boolean },
    error: (field: string) => string | undefined,
  ) => ReactNode;
}

/** A provider's settings as the service describes them, and the caller's own fields. */
export function SetupForm<Input>(props: SetupFormProps<Input>) {
  const { provider, settings, isShown, setup } = props;
  const t = useTranslations("sending.setUp");
  const router = useRouter();
  const save = useScopedAction(props.action);
  const stored = setup?.provider === provider ? setup : null;
  return (
    <ActionForm
      noValidate
      isHeld
      autoComplete="off"
      label={t("save")}
      doneText={props.savedText}
      describe={useConflictWords()}
      onClose={props.onClose}
      action={async (input: Input) => {
        const result = await save(input);
        // Reads the newer version, on which the next save is based; the fields keep the typed
        // values.
        if (!result.ok && isChangedSince(result.failure)) router.refresh();
        return result;
      }}
      read={(form) => {
        const typed = settings
          .map((setting) => [
            setting.name,
            readSetting(setting, fieldText(form, fieldOf(setting))),
          ])
          .filter(([, value]) => value !== "");
        return props.read(form, {
          settings: Object.fromEntries(typed) as Record<string, string>,
          is_active: new FormData(form).has("is_active"),
          version: setup?.version ?? null,
          current_password: fieldText(form, "current_password"),
        });
      }}
    >
      {(error) => {
        const more = settings.filter((setting) => !isShown(setting));
        const fieldsOf = (some: typeof settings) =>
          some.map((setting) => (
            <SettingField
              key={`${provider} ${setting.name}`}
              {...{ setting, stored }}
              error={error(fieldOf(setting))}
            />
          ));
        const isWrong = more.some((setting) => error(fieldOf(setting)) !== undefined);
        return (
          <>
            {props.children(
              fieldsOf(settings.filter(isShown)),
              { fields: fieldsOf(more), isWrong },
              error,
            )}
            <Checkbox
              name="is_active"
              defaultChecked={setup?.is_active ?? true}
              label={props.activeText}
            />
            <CurrentPassword
              hasPassword={props.hasPassword}
              error={error("current_password")}
            />
          </>
        );
      }}
    </ActionForm>
  );
}

/** Folds the settings that few sellers need. */
export function MoreSettings({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
  const t = useTranslations("sending.setUp");
  return (
    <Disclosure title={t("more")} className="font-medium max-md:min-h-11" isOpen={isOpen}>
      <div className="mt-3 grid gap-4">{children}</div>
    </Disclosure>
  );
}

interface SetupProblemProps {
  /** The text for the settings that the provider refused, without its reason. */
  title: (at: string) => string;
  setup: { problem: string | null; problem_at: string | null };
  advice: string;
}

/** Why a provider refused; renders nothing unless it did. */
export function SetupProblem({ title, setup, advice }: SetupProblemProps) {
  const format = useFormat();
  const { problem, problem_at } = setup;
  if (problem === null) return null;
  return (
    <Notice look="danger" icon={CircleAlert}>
      <p className="font-medium">{title(problem_at ? format.dateTime(problem_at) : "")}</p>
      <p className="wrap-anywhere">{problem}</p>
      <p>{advice}</p>
    </Notice>
  );
}

/** A URL to enter at the provider. */
export function AddressAtProvider(props: { url: string; what: string; hint: string }) {
  const t = useTranslations("sending.card");
  const { url, what, hint } = props;
  return (
    <>
      <div className="flex items-start justify-between gap-3">
        <code className="min-w-0 text-sm wrap-anywhere">{url}</code>
        <CopyButton isCompact text={url} label={t("copy")} what={what} />
      </div>
      <p className="mt-1 text-xs text-muted">{hint}</p>
    </>
  );
}

interface RemoveSetupProps<Input> {
  name: string;
  action: (scope: Scope, input: Input) => Promise<ActionResult<unknown>>;
  inputOf: (current_password: string) => Input;
  text: string;
  /** What stops without these settings, if they are the only ones; else null. */
  lastText: string | null;
  hasPassword: boolean;
}

/** Removes a channel's or a payment provider's settings. */
export function RemoveSetup<Input>(props: RemoveSetupProps<Input>) {
  const { name, inputOf, text, lastText, hasPassword } = props;
  const t = useTranslations("sending.remove");
  return (
    <PasswordButton
      button={{
        look: "quiet",
        className: "text-danger",
        "aria-label": t("of", { name }),
        children: t("label"),
      }}
      title={t("title", { name })}
      label={t("label")}
      look="danger"
      doneText={t("done", { name })}
      action={useScopedAction(props.action)}
      {...{ inputOf, hasPassword }}
    >
      <p>{text}</p>
      {lastText !== null && <p className="font-medium">{lastText}</p>}
    </PasswordButton>
  );
}
