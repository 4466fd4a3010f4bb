import { notFound } from "next/navigation";
import { AccountReview } from "#components/operator/account-review.tsx";
import { NeedsSecondFactor } from "#components/operator/needs-second-factor.tsx";
import { AppError } from "#lib/failure.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { operatorTime } from "#lib/operator/time.ts";
import { operatorPage } from "#lib/operator/guards.ts";
import { readAccountNumber } from "#lib/operator/rules.ts";

export const generateMetadata = pageTitle("operator.title");

export default async function OperatorAccountPage({
  params,
}: {
  params: Promise<{ id: string }>;
}) {
  const operator = await operatorPage();
  if (!operator) return <NeedsSecondFactor />;
  const number = readAccountNumber((await params).id);
  if (number === null) notFound();
  const account = await operator.readAccount(number).catch((error: unknown) => {
    if (error instanceof AppError && error.kind === "not_found") notFound();
    throw error;
  });
  return <AccountReview account={account} time={await operatorTime()} />;
}
