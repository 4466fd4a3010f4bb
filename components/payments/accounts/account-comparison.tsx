import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import type { ComparisonRun } from "#contract/payment-accounts.ts";
import { ScopedLink, useFormat } from "#components/context/seller-context.tsx";
import { FailureNotice, useSellerAction } from "#components/forms/use-action.tsx";
import { Button } from "#components/ui/button.tsx";
import { FactRow } from "#components/ui/detail-row.tsx";
import { comparePayAccountAction } from "#lib/payments/accounts/actions.ts";
import type { PayAccount } from "#lib/payments/accounts/rules.ts";
import { COMPARED_COUNTS, isDifferent } from "#lib/payments/portal/queries.ts";
import { MONEY_TO_CHECK } from "#lib/payments/tasks/rules.ts";

/** The time and the result of an account's last comparison with its provider. */
export function ComparisonFact({ account: { comparison } }: { account: PayAccount }) {
  const t = useTranslations("payAccounts.comparison");
  const { has_list, is_running, last, last_statement } = comparison;
  return (
    <FactRow label={t("label")}>
      {is_running && <p>{t("running")}</p>}
      {!is_running && !last && !last_statement && (
        <p>{t(has_list ? "never" : "neverStatement")}</p>
      )}
      {last && <Run run={last} />}
      {last_statement && <Run run={last_statement} />}
      {[last, last_statement].some((run) => run && isDifferent(run)) && (
        <ScopedLink href={MONEY_TO_CHECK} className="link">
          {t("tasks")}
        </ScopedLink>
      )}
    </FactRow>
  );
}

function Run({ run }: { run: ComparisonRun }) {
  const t = useTranslations("payAccounts.comparison");
  const format = useFormat();
  const at = format.dateTime(run.compared_at);
  const found = [
    ...(run.asked > 0 ? [t("asked", { count: run.asked })] : []),
    ...COMPARED_COUNTS.filter((each) => run[each] > 0).map((each) =>
      t(each, { count: run[each] }),
    ),
  ];
  return (
    <div className="mb-1 tabular-nums">
      <p>{run.source === "statement" ? t("statementAt", { at }) : at}</p>
      {found.length > 0 && <p className="text-sm text-muted">{found.join(" · ")}</p>}
      {run.problem !== null && (
        <p className="text-sm wrap-anywhere text-danger">{run.problem}</p>
      )}
    </div>
  );
}

/** Milliseconds between two checks whether a comparison has ended, and the most checks. */
const [LOOK_AGAIN, MOST_LOOKS] = [2_500, 40];

/** Starts a comparison of the account, and waits until it has ended or all checks are used up. */
export function CompareButton({ account, name }: { account: PayAccount; name: string }) {
  const t = useTranslations("payAccounts.comparison");
  const router = useRouter();
  const { provider, comparison } = account;
  const { run, isPending, failure } = useSellerAction(comparePayAccountAction);
  const [isAsked, setAsked] = useState(false);
  const [looks, setLooks] = useState(0);
  const isWaiting = (isAsked && looks === 0) || (comparison.is_running && looks < MOST_LOOKS);

  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => {
      router.refresh();
      setLooks(looks + 1);
    }, LOOK_AGAIN);
    return () => clearTimeout(timer);
  }, [looks, isWaiting, router]);

  async function compare() {
    if (!(await run({ provider }))) return;
    setLooks(0);
    setAsked(true);
    router.refresh();
  }

  const progress = isWaiting ? "started" : comparison.is_running ? "late" : "ended";
  const problem = progress === "ended" ? comparison.last?.problem : null;
  return (
    <>
      <Button
        aria-label={t("nowOf", { provider: name })}
        isPending={isPending || isWaiting}
        onClick={() => void compare()}
      >
        {t("now")}
      </Button>
      <div role="status" className="order-last basis-full empty:sr-only">
        {failure ? (
          <FailureNotice failure={failure} />
        ) : (
          isAsked && (problem ?? t(progress, { provider: name }))
        )}
      </div>
    </>
  );
}
