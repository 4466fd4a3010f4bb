import { getTranslations } from "next-intl/server";
import { AccountList } from "#components/operator/account-list.tsx";
import { NeedsSecondFactor } from "#components/operator/needs-second-factor.tsx";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { operatorTime } from "#lib/operator/time.ts";
import { operatorPage } from "#lib/operator/guards.ts";
import { readState } from "#lib/operator/rules.ts";

export const generateMetadata = pageTitle("operator.title");

export default async function OperatorPage({
  searchParams,
}: {
  searchParams: Promise<{ state?: string | string[] }>;
}) {
  const operator = await operatorPage();
  if (!operator) return <NeedsSecondFactor />;
  const state = readState((await searchParams).state);
  const accounts = await operator.listAccounts(state === "all" ? null : state);
  const t = await getTranslations("operator");
  return (
    <>
      <h1 className="mb-4 text-xl font-semibold">{t("title")}</h1>
      <AccountList {...{ accounts, state }} time={await operatorTime()} />
    </>
  );
}
