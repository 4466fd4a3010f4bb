import { useTranslations } from "next-intl";
import { CheckSettings } from "#components/forms/check-settings.tsx";
import {
  AddressAtProvider,
  RemoveSetup,
  SetupProblem,
} from "#components/forms/provider-setup.tsx";
import { usePermission } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { ArrowDown, ArrowUp } from "#components/ui/icons.tsx";
import { SetupBadge } from "#components/values/setup-badge.tsx";
import {
  checkPayAccountAction,
  removePayAccountAction,
} from "#lib/payments/accounts/actions.ts";
import type { PayAccount, PayAccounts, PayProvider } from "#lib/payments/accounts/rules.ts";
import { CompareButton, ComparisonFact } from "./account-comparison.tsx";
import { SetUpAccountButton } from "./account-form.tsx";
import { ImportButton } from "./statement-import.tsx";

/** The most currencies that are named one by one. */
const MOST_NAMED = 3;

interface AccountCardProps {
  accounts: PayAccounts;
  /** The stored account; null before it is set up. */
  account: PayAccount | null;
  /** Undefined for a provider that the service does not offer any more. */
  provider: PayProvider | undefined;
  /** Moves the account among the others; null if it cannot be moved. */
  move: { up: (() => void) | null; down: (() => void) | null; isPending: boolean } | null;
}

/** A payment provider: its settings and the actions on it. */
export function AccountCard({ accounts, account, provider, move }: AccountCardProps) {
  const t = useTranslations("payAccounts");
  const mayWrite = usePermission("connection:write");
  const id = account?.provider ?? provider?.provider ?? "";
  const name = provider?.label ?? id;
  return (
    <Card aria-labelledby={`provider-${id}`} className="grid gap-4 p-4 sm:p-5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <CardTitle id={`provider-${id}`}>{name}</CardTitle>
        <SetupBadge setup={account} />
        {provider && (
          <span className="text-sm text-muted">
            {t(`method.${provider.method as "wallet"}`)} ·{" "}
            {provider.currencies.length > MOST_NAMED
              ? t("currencies", { count: provider.currencies.length })
              : provider.currencies.join(", ")}
          </span>
        )}
        {move && (
          <span className="ml-auto flex gap-1">
            <MoveButton
              icon={ArrowUp}
              label={t("order.up", { provider: name })}
              go={move.up}
              isPending={move.isPending}
            />
            <MoveButton
              icon={ArrowDown}
              label={t("order.down", { provider: name })}
              go={move.down}
              isPending={move.isPending}
            />
          </span>
        )}
      </div>
      {account && <AccountFacts account={account} name={name} />}
      {mayWrite && (
        <div className="flex flex-wrap items-start gap-2">
          {provider && <SetUpAccountButton {...{ accounts, account, provider }} />}
          {account && (
            <>
              <CheckButton provider={id} name={name} />
              <CompareButton {...{ account, name }} />
              <ImportButton provider={id} name={name} />
              <RemoveButton provider={id} {...{ name, accounts }} />
            </>
          )}
        </div>
      )}
    </Card>
  );
}

interface MoveButtonProps {
  icon: typeof ArrowUp;
  label: string;
  go: (() => void) | null;
  isPending: boolean;
}

function MoveButton({ icon: Icon, label, go, isPending }: MoveButtonProps) {
  return (
    <Button
      look="quiet"
      aria-label={label}
      disabled={go === null || isPending}
      onClick={() => go?.()}
    >
      <Icon aria-hidden className="size-4" />
    </Button>
  );
}

function AccountFacts({ account, name }: { account: PayAccount; name: string }) {
  const t = useTranslations("payAccounts.card");
  const { label, least, most } = account;
  const limits =
    least !== null && most !== null
      ? t("between", { least, most })
      : least !== null
        ? t("from", { least })
        : most !== null
          ? t("to", { most })
          : t("any");
  return (
    <>
      <SetupProblem setup={account} title={(at) => t("problem", { at })} advice={t("mend")} />
      <dl className="divide-y border-y">
        <FactRow label={t("shown")}>{label ?? name}</FactRow>
        <FactRow label={t("limits")}>{limits}</FactRow>
        <FactRow label={t("code")}>
          {t(account.identifies_buyer ? "noCode" : "withCode")}
        </FactRow>
        <FactRow label={t("return")}>
          <AddressAtProvider
            url={account.return_url}
            what={t("copyReturn", { provider: name })}
            hint={t("returnHint")}
          />
        </FactRow>
        <FactRow label={t("notice")}>
          <AddressAtProvider
            url={account.notice_url}
            what={t("copyNotice", { provider: name })}
            hint={t("noticeHint")}
          />
        </FactRow>
        <ComparisonFact account={account} />
      </dl>
    </>
  );
}

function CheckButton({ provider, name }: { provider: string; name: string }) {
  const t = useTranslations("sending.check");
  return (
    <CheckSettings
      action={checkPayAccountAction}
      input={{ provider }}
      label={t("label")}
      fullLabel={t("of", { name })}
    />
  );
}

interface RemoveProps {
  provider: string;
  name: string;
  accounts: PayAccounts;
}

function RemoveButton({ provider, name, accounts }: RemoveProps) {
  const t = useTranslations("payAccounts.remove");
  return (
    <RemoveSetup
      name={name}
      action={removePayAccountAction}
      inputOf={(current_password) => ({ provider, current_password })}
      text={t("text")}
      lastText={accounts.results.length === 1 ? t("last") : null}
      hasPassword={accounts.has_password}
    />
  );
}
