import "server-only";
import { getTranslations } from "next-intl/server";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { AppError, invalidInput } from "#lib/failure.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { csvFile, csvResponse } from "#lib/files/table-file.ts";
import { readFromReplica } from "#lib/db/replica.ts";
import { waitForWrites } from "#lib/search-index/sync/write-through.ts";
import { nameLeaveReason } from "#lib/money/leave-reasons.ts";
import { readReportOf } from "./read-report.ts";
import { reportTable } from "./report-table.ts";
import type { ReportAnswer } from "./queries.ts";
import { readReportName, type ReportName, type ReportSearch } from "./search.ts";

/**
 * One report.
 * @throws AppError `validation` for an unknown name
 */
export async function getReport(
  scope: Scope,
  name: string,
  search: ReportSearch,
): Promise<ReportAnswer<ReportName>> {
  return read(await requireSeller(scope, "reports:read"), known(name), search);
}

/**
 * A report's table as CSV; the export is written to the audit log first.
 * @throws AppError `validation` for an unknown name, `conflict` without an index
 */
export async function exportReport(
  scope: Scope,
  asked: string,
  search: ReportSearch,
): Promise<Response> {
  const signedIn = await requireSeller(scope, "reports:read");
  const name = known(asked);
  const t = await getTranslations("export");
  const reportAnswer = await read(signedIn, name, search);
  if (reportAnswer.state !== "ready")
    throw new AppError({ kind: "conflict", detail: t("absent") });
  const words = await getTranslations("leaving");
  const { columns, rows } = reportTable(name, reportAnswer.figure, reportAnswer);
  const { from, to } = reportAnswer.period;
  const { product, plan } = search;
  await auditExport(signedIn, {
    action: "figures.export",
    detail: { figure: name, from, to, ...(product && { product }), ...(plan && { plan }) },
  });
  const headings = columns.map((column) => t(`reports.headings.${column}`));
  return csvResponse(
    `duebook-${name}-${scope.mode}-${from}-${to}.csv`,
    csvFile(
      headings,
      rows.map((row) =>
        row.map((cell, at) => (columns[at] === "reason" ? nameLeaveReason(words, cell) : cell)),
      ),
    ),
  );
}

function known(name: string): ReportName {
  const figure = readReportName(name);
  if (!figure) throw invalidInput();
  return figure;
}

async function read<Name extends ReportName>(
  signedIn: SignedIn,
  name: Name,
  search: ReportSearch,
): Promise<ReportAnswer<Name>> {
  const { owner, seller, now } = signedIn;
  const service_now = name === "owed" ? await serviceNow(signedIn) : now;
  const question = { search, time_zone: seller.time_zone, now, service_now };
  await waitForWrites();
  return readFromReplica((pool) => readReportOf(pool, owner, name, question));
}
