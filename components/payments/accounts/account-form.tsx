import { useTranslations } from "next-intl";
import { MoreSettings, SetupButton, SetupForm } from "#components/forms/provider-setup.tsx";
import { fieldText } from "#components/forms/use-action.tsx";
import { Checkbox, TextField } from "#components/ui/forms/fields.tsx";
import { initialFocus } from "#components/ui/overlays/dialog.tsx";
import { savePayAccountAction } from "#lib/payments/accounts/actions.ts";
import type { PayAccount, PayAccounts, PayProvider } from "#lib/payments/accounts/rules.ts";

interface SetUpProps {
  accounts: PayAccounts;
  provider: PayProvider;
  /** The stored account; null before it is set up. */
  account: PayAccount | null;
}

/** Opens the settings of an account at a provider. */
export function SetUpAccountButton(props: SetUpProps) {
  return (
    <SetupButton name={props.provider.label} isSetUp={props.account !== null}>
      {(close) => <AccountForm {...props} onClose={close} />}
    </SetupButton>
  );
}

function AccountForm({
  accounts,
  provider: { provider, settings, label: name, can_identify_buyer },
  account,
  onClose,
}: SetUpProps & { onClose: () => void }) {
  const t = useTranslations("payAccounts.setUp");
  return (
    <SetupForm
      action={savePayAccountAction}
      isShown={({ is_required }) => is_required}
      setup={account}
      read={(fields, common) => ({
        ...common,
        provider,
        label: fieldText(fields, "label").trim() || null,
        least: fieldText(fields, "least").trim() || null,
        most: fieldText(fields, "most").trim() || null,
        identifies_buyer: new FormData(fields).has("identifies_buyer"),
      })}
      activeText={t("active")}
      savedText={t("saved", { provider: name })}
      hasPassword={accounts.has_password}
      {...{ provider, settings, onClose }}
    >
      {(shown, more, error) => (
        <>
          {account && <p className="text-sm text-muted">{t("same")}</p>}
          {shown}
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
          {can_identify_buyer && (
            <Checkbox
              name="identifies_buyer"
              defaultChecked={account?.identifies_buyer ?? false}
              label={t("noCode", { provider: name })}
              hint={t("noCodeHint")}
            />
          )}
          {more.fields.length > 0 && (
            <MoreSettings isOpen={more.isWrong}>{more.fields}</MoreSettings>
          )}
        </>
      )}
    </SetupForm>
  );
}
