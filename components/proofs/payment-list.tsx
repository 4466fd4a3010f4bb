import { BadgeCheck, Download, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { OlderSteps } from "#components/list/older-steps.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { scopePath, type Scope } from "#lib/scope.ts";
import type { ListedProof } from "#lib/proofs/queries.ts";
import {
  isEveryProof,
  PROOF_FORMATS,
  proofsFilePath,
  proofsPath,
  type ProofSearch,
} from "#lib/proofs/search.ts";
import { NewPayments } from "./new-payments.tsx";
import { PaymentFilter } from "./payment-filter.tsx";
import { PaymentRows } from "./payment-rows.tsx";
import { PaymentTotals, type Totals } from "./payment-totals.tsx";

interface PaymentListProps {
  scope: Scope;
  search: ProofSearch;
  page: Totals & { proofs: ListedProof[]; newest: string; next: string | null };
}

/** What was paid, each with the delivery that proves it. */
export function PaymentList({ scope, search, page }: PaymentListProps) {
  const t = useTranslations("proofs");
  const { proofs, next, newest, totals, unknown } = page;
  return (
    <>
      <PageHeader
        title={t("title")}
        action={proofs.length > 0 && <Downloads {...{ scope, search }} />}
      />
      <p className="mb-4 max-w-2xl text-pretty text-muted">{t("intro")}</p>
      {(proofs.length > 0 || search.before !== null || !isEveryProof(search)) && (
        // Anew for another address, so that going back shows what is in force.
        <PaymentFilter key={proofsPath(scope, search)} {...{ scope, search }} />
      )}
      {search.before === null && <NewPayments {...{ search, newest }} />}
      {proofs.length === 0 ? (
        <NoProofs {...{ scope, search }} />
      ) : (
        <>
          <PaymentTotals {...{ totals, unknown }} />
          <PaymentRows proofs={proofs} />
        </>
      )}
      <Steps {...{ scope, search, next }} />
    </>
  );
}

function Downloads({ scope, search }: { scope: Scope; search: ProofSearch }) {
  const t = useTranslations("proofs.download");
  return (
    <div className="flex flex-wrap gap-2 max-md:w-full">
      {PROOF_FORMATS.map((format) => (
        <a
          key={format}
          href={proofsFilePath(scope, search, format)}
          download
          className={buttonClass("secondary", "max-md:flex-1")}
        >
          <Download aria-hidden className="size-4" />
          {t(format)}
        </a>
      ))}
    </div>
  );
}

function NoProofs({ scope, search }: { scope: Scope; search: ProofSearch }) {
  const t = useTranslations("proofs");
  if (isEveryProof(search))
    return (
      <StatePanel
        icon={BadgeCheck}
        title={t("empty.title")}
        text={t("empty.text")}
        action={
          <Link
            href={scopePath(scope, "/settings/webhooks/deliveries/received")}
            className={buttonClass()}
          >
            {t("empty.receiver")}
          </Link>
        }
      />
    );
  return (
    <StatePanel
      icon={SearchX}
      title={t("noMatch.title")}
      text={t("noMatch.text")}
      action={
        <Link href={proofsPath(scope)} className={buttonClass()}>
          {t("noMatch.all")}
        </Link>
      }
    />
  );
}

interface StepsProps {
  scope: Scope;
  search: ProofSearch;
  next: string | null;
}

function Steps({ scope, search, next }: StepsProps) {
  const t = useTranslations("proofs.pages");
  return (
    <OlderSteps
      before={search.before}
      next={next}
      pathTo={(before) => proofsPath(scope, { ...search, before })}
      words={{ label: t("label"), newest: t("newest"), older: t("older") }}
    />
  );
}
