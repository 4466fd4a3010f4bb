import { notFound } from "next/navigation";
import { ImportCheck, ImportHead } from "#components/imports/import-check.tsx";
import { RefreshFailure } from "#components/forms/refresh-failure.tsx";
import { ImportColumns } from "#components/imports/import-columns.tsx";
import { ImportRunProgress } from "#components/imports/run-progress.tsx";
import { ImportStart } from "#components/imports/run-start.tsx";
import {
  sellerPage,
  type RecordParams,
  type SellerPageProps,
} from "#lib/auth/guards/seller-page.ts";
import { pageTitle } from "#lib/i18n/page-title.ts";
import { getImport } from "#lib/imports/data.ts";
import { getImportProgress } from "#lib/imports/run-data.ts";
import { parseImportSearch } from "#lib/imports/search.ts";

export const generateMetadata = pageTitle("imports.title");

interface ImportPageProps extends Pick<SellerPageProps, "searchParams"> {
  params: Promise<RecordParams>;
}

export default async function ImportPage({ params, searchParams }: ImportPageProps) {
  const { scope } = await sellerPage(params, "subscriptions:create");
  const { id } = await params;
  const search = parseImportSearch(await searchParams);
  const view = await getImport(scope, id, search);
  if (!view) notFound();
  const { run } = view;
  return (
    <>
      <ImportHead run={run} isGuessed={search.guessed !== null} />
      {view.failure && <RefreshFailure failure={view.failure} />}
      {view.isMapping ? (
        <ImportColumns view={view} />
      ) : (
        <ImportCheck {...{ view, search }}>
          {run.started_at === null ? (
            <ImportStart {...view} />
          ) : (
            <ImportRunProgress id={id} progress={await getImportProgress(scope, id)} />
          )}
        </ImportCheck>
      )}
    </>
  );
}
