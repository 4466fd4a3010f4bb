import "server-only";
import { getTranslations } from "next-intl/server";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { database } from "#lib/db/pool.ts";
import { AppError } from "#lib/failure.ts";
import { tableFile, tableResponse, type TableColumn } from "#lib/files/table-file.ts";
import { translateMessage } from "#lib/i18n/message.ts";
import { readExportFormat } from "#lib/list-answer.ts";
import type { Scope } from "#lib/scope.ts";
import { UUID } from "#lib/search-params.ts";
import type { ImportRow } from "./rules.ts";
import { selectResultRows } from "./run-store.ts";
import { selectImport } from "./store.ts";

/**
 * The rows as in the file, each with its outcome and checkout link; the export is audited before it
 * is sent.
 * @throws AppError `not_found`
 */
export async function importResultFile(
  scope: Scope,
  request: Request,
  id: string,
): Promise<Response> {
  const { owner, user } = await requireSeller(scope, "subscriptions:export");
  const run = UUID.test(id) ? await selectImport(database(), owner, id) : null;
  if (!run) throw new AppError({ kind: "not_found" });
  const format = readExportFormat(new URL(request.url).searchParams);
  const [t, tAll] = await Promise.all([getTranslations("importRun"), getTranslations()]);
  await auditExport(
    { owner, user },
    { action: "subscription.import-file", detail: { import_run: id, format } },
  );
  const given = run.columns.map((_, at): TableColumn<ImportRow> => ({
    heading: run.headings?.[at] ?? t("file.column", { number: at + 1 }),
    read: ({ cells }) => cells[at] ?? null,
  }));
  const result = ({ state, verdict }: ImportRow) =>
    state ? t(`states.${state}`) : t(`notMade.${verdict ?? "wrong"}`);
  const columns: TableColumn<ImportRow>[] = [
    ...given,
    { heading: t("file.row"), kind: "number", read: ({ position }) => String(position) },
    { heading: t("file.result"), read: result },
    {
      heading: t("file.reason"),
      read: ({ message }) => message && translateMessage(tAll, message),
    },
    { heading: t("file.link"), read: ({ checkout_url }) => checkout_url },
    { heading: t("file.id"), read: ({ subscription_id }) => subscription_id },
  ];
  const body = tableFile({
    columns,
    rows: selectResultRows(database(), owner, id),
    format,
    name: t("file.name"),
  });
  return tableResponse("duebook-import", format, body);
}
