import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import {
  FailureNotice,
  fieldText,
  unshownFailure,
  useActionForm,
  useScopedAction,
} from "#components/forms/use-action.tsx";
import { fieldOf, SettingField, useConflictWords } from "#components/forms/setting-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { CurrentPassword } from "#components/ui/forms/current-password.tsx";
import { TextField } from "#components/ui/forms/fields.tsx";
import { Dialog, initialFocus, useDialogHold } from "#components/ui/overlays/dialog.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { readSetting } from "#lib/format/provider-settings.ts";
import { savePayAccountAction } from "#lib/payments/accounts/actions.ts";
import type { PayAccount, PayAccounts, PayProvider } from "#lib/payments/accounts/rules.ts";

interface SetUpProps {
  accounts: PayAccounts;
  provider: PayProvider;
  /** What is set up; null for nothing yet. */
  account: PayAccount | null;
}

/** Opens the settings of an account at a provider. */
export function SetUpAccountButton(props: SetUpProps) {
  const { provider, account } = props;
  const t = useTranslations("payAccounts.setUp");
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const name = provider.label;
  return (
    <>
      <Button
        aria-haspopup="dialog"
        aria-label={t(account ? "changeOf" : "of", { provider: name })}
        look={account ? "secondary" : "primary"}
        onClick={() => setOpen(true)}
      >
        {t(account ? "change" : "label")}
      </Button>
      <Dialog keepsWords title={t("title", { provider: name })} isOpen={isOpen} onClose={close}>
        <AccountForm {...props} onClose={close} />
      </Dialog>
    </>
  );
}

const OTHER_FIELDS = ["label", "least", "most", "current_password"] as const;

function AccountForm({
  accounts,
  provider,
  account,
  onClose,
}: SetUpProps & { onClose: () => void }) {
  const t = useTranslations("payAccounts.setUp");
  const tOfDialog = useTranslations("layout.dialog");
  const router = useRouter();
  const { settings, label: name } = provider;
  const { form, isPending, failure, error } = useActionForm(
    useScopedAction(savePayAccountAction),
    {
      read: (fields) => {
        const typed = settings
          .map((setting) => [
            setting.name,
            readSetting(setting, fieldText(fields, fieldOf(setting))),
          ])
          .filter(([, value]) => value !== "");
        return {
          provider: provider.provider,
          label: fieldText(fields, "label").trim() || null,
          settings: Object.fromEntries(typed) as Record<string, string>,
          least: fieldText(fields, "least").trim() || null,
          most: fieldText(fields, "most").trim() || null,
          is_active: new FormData(fields).has("is_active"),
          version: account?.version ?? null,
          current_password: fieldText(fields, "current_password"),
        };
      },
      onDone: () => {
        onClose();
        showToast({ text: t("saved", { provider: name }) });
        router.refresh();
      },
    },
  );
  useDialogHold(isPending);
  const isConflict = failure?.kind === "conflict" && failure.status === 409;
  // Reads the newer version, which the next try is based on; the fields keep what was typed.
  useEffect(() => {
    if (isConflict) router.refresh();
  }, [isConflict, router]);
  const describe = useConflictWords();
  const shown = new Set([...settings.map(fieldOf), ...OTHER_FIELDS]);
  const fieldsOf = (some: typeof settings) =>
    some.map((setting) => (
      <SettingField
        key={setting.name}
        {...{ setting }}
        stored={account}
        error={error(fieldOf(setting))}
      />
    ));
  const more = settings.filter(({ is_required }) => !is_required);
  const isMoreWrong = more.some((setting) => error(fieldOf(setting)) !== undefined);
  return (
    <form {...form} noValidate autoComplete="off">
      <FailureNotice failure={unshownFailure(failure, shown)} describe={describe} />
      <div className="grid gap-4">
        {account && <p className="text-sm text-muted">{t("same")}</p>}
        {fieldsOf(settings.filter(({ is_required }) => is_required))}
        <TextField
          ref={settings.some(({ is_required }) => is_required) ? undefined : initialFocus}
          id="account-label"
          name="label"
          label={t("shown")}
          hint={t("shownHint", { provider: name })}
          isOptional
          defaultValue={account?.label ?? ""}
          error={error("label")}
          autoComplete="off"
        />
        <div className="grid gap-4 sm:grid-cols-2">
          {(["least", "most"] as const).map((limit) => (
            <TextField
              key={limit}
              id={`account-${limit}`}
              name={limit}
              label={t(limit)}
              inputMode="decimal"
              isOptional
              defaultValue={account?.[limit] ?? ""}
              error={error(limit)}
              autoComplete="off"
            />
          ))}
          <p className="-mt-2 text-xs text-muted sm:col-span-2">{t("limitHint")}</p>
        </div>
        {more.length > 0 && <MoreSettings isOpen={isMoreWrong}>{fieldsOf(more)}</MoreSettings>}
        <label className="flex items-center gap-2 max-md:min-h-11">
          <input
            type="checkbox"
            name="is_active"
            defaultChecked={account?.is_active ?? true}
            className="size-4 accent-accent"
          />
          {t("active")}
        </label>
        <CurrentPassword
          hasPassword={accounts.has_password}
          error={error("current_password")}
        />
      </div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{tOfDialog("cancel")}</Button>
        <Button type="submit" look="primary" isPending={isPending}>
          {t("save")}
        </Button>
      </div>
    </form>
  );
}

function MoreSettings({ isOpen, children }: { isOpen: boolean; children: React.ReactNode }) {
  const t = useTranslations("sending.setUp");
  return (
    <Disclosure title={t("more")} className="font-medium max-md:min-h-11" isOpen={isOpen}>
      <div className="mt-3 grid gap-4">{children}</div>
    </Disclosure>
  );
}
