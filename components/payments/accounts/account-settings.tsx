"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { AccountElsewhere } from "#components/forms/account-elsewhere.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { TriangleAlert, Unplug } from "#components/ui/icons.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { orderPayAccountsAction } from "#lib/payments/accounts/actions.ts";
import {
  movedProvider,
  type PayAccounts,
  type PayAccountsResult,
} from "#lib/payments/accounts/rules.ts";
import { AccountCard } from "./account-card.tsx";

/** The payment providers that the seller's buyers can use. */
export function PayAccountSettings({ result }: { result: PayAccountsResult }) {
  const t = useTranslations("payAccounts");
  if ("failure" in result) return <RefreshFailure failure={result.failure} />;
  if (!("absence" in result)) return <AccountCards accounts={result} />;
  return result.absence === "elsewhere" ? (
    <AccountElsewhere icon={Unplug} title={t("elsewhere.title")} text={t("elsewhere.text")} />
  ) : (
    <StatePanel icon={Unplug} title={t("notOffered.title")} text={t("notOffered.text")} />
  );
}

function AccountCards({ accounts }: { accounts: PayAccounts }) {
  const t = useTranslations("payAccounts");
  const { mode } = useScope();
  const router = useRouter();
  const mayWrite = usePermission("connection:write");
  const { run, isPending, failure } = useSellerAction(orderPayAccountsAction);
  const order = accounts.results.map(({ provider }) => provider);
  const rest = accounts.providers.filter(({ provider }) => !order.includes(provider));
  const isMissing = !accounts.results.some(({ is_active }) => is_active);

  async function move(provider: string, by: 1 | -1) {
    const providers = movedProvider(order, provider, by);
    if (!(await run({ providers }))) return;
    const place = providers.indexOf(provider) + 1;
    const label =
      accounts.providers.find((one) => one.provider === provider)?.label ?? provider;
    showToast({ text: t("order.moved", { provider: label, place }) });
    router.refresh();
  }

  return (
    <div className="grid max-w-3xl gap-4">
      <div className="grid max-w-2xl gap-2 text-pretty text-muted">
        <p>{t("intro")}</p>
        {mode === "test" && <p>{t("testIntro")}</p>}
      </div>
      {isMissing && mode === "live" && (
        <Notice look="warning" icon={TriangleAlert}>
          <p className="font-medium">{t("missing.title")}</p>
          <p>{t("missing.text")}</p>
        </Notice>
      )}
      <FailureNotice failure={failure} />
      {accounts.results.length > 0 && <h2 className="font-semibold">{t("setUpTitle")}</h2>}
      {accounts.results.map((account, at) => (
        <AccountCard
          key={account.provider}
          {...{ accounts, account }}
          provider={accounts.providers.find((one) => one.provider === account.provider)}
          move={
            mayWrite && order.length > 1
              ? {
                  isPending,
                  up: at > 0 ? () => void move(account.provider, -1) : null,
                  down: at < order.length - 1 ? () => void move(account.provider, 1) : null,
                }
              : null
          }
        />
      ))}
      {rest.length > 0 && <h2 className="font-semibold">{t("moreTitle")}</h2>}
      {rest.map((provider) => (
        <AccountCard
          key={provider.provider}
          {...{ accounts, provider }}
          account={null}
          move={null}
        />
      ))}
    </div>
  );
}
