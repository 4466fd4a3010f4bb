import { useTranslations } from "next-intl";
import Link from "next/link";
import type { VerificationState } from "#contract/names.ts";
import { VERIFICATION_STATES } from "#contract/names.ts";
import type { OperatorAccount } from "#contract/verification.ts";
import { ShieldCheck } from "#components/ui/icons.tsx";
import { StatePanel } from "#components/ui/notice.tsx";
import { operatorPath } from "#lib/operator/rules.ts";

const TABS = [
  "submitted",
  ...VERIFICATION_STATES.filter((state) => state !== "submitted"),
  "all",
] as const;

interface AccountListProps {
  accounts: OperatorAccount[];
  state: VerificationState | "all";
  time: (iso: string | null) => string;
}

/** The accounts of the billing service by state; those that wait the longest come first. */
export function AccountList({ accounts, state, time }: AccountListProps) {
  const t = useTranslations("operator");
  return (
    <>
      <nav aria-label={t("filter")} className="mb-4 overflow-x-auto">
        <ul className="flex min-w-max gap-1 border-b">
          {TABS.map((tab) => (
            <li key={tab}>
              <Link
                prefetch={false}
                href={operatorPath({ state: tab })}
                aria-current={tab === state ? "page" : undefined}
                className="tab"
              >
                {t(`filters.${tab}`)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {accounts.length === 0 ? (
        <StatePanel
          icon={ShieldCheck}
          title={t("empty.title")}
          text={t(state === "submitted" ? "empty.submitted" : "empty.other")}
        />
      ) : (
        <ul className="divide-y rounded-md border bg-surface shadow-card">
          {accounts.map((account) => (
            <li
              key={account.account_id}
              className="relative grid gap-x-4 gap-y-1 px-4 py-3 hover:bg-sunken sm:grid-cols-[minmax(0,1fr)_8rem_12rem]"
            >
              <div className="min-w-0">
                <Link
                  prefetch={false}
                  href={operatorPath({ account: account.account_id })}
                  className="font-medium wrap-anywhere after:absolute after:inset-0"
                >
                  {account.legal_name || account.name}
                </Link>
                <p className="text-sm text-muted">
                  {t("account.number", { number: String(account.account_id) })}
                  {account.legal_name && account.legal_name !== account.name && (
                    <> · {account.name}</>
                  )}
                </p>
              </div>
              <p className="text-muted">{t(`states.${account.state as VerificationState}`)}</p>
              <p className="text-muted tabular-nums">{time(account.submitted_at)}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
