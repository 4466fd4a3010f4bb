import "server-only";
import { getLocale, getTranslations } from "next-intl/server";
import { rethrowInLanguage } from "#lib/auth/guards/action.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { database } from "#lib/db/pool.ts";
import { expectedFailure, invalidInput } from "#lib/failure.ts";
import { readFileName } from "#lib/files/file-name.ts";
import { NoTableError } from "#lib/files/read-table.ts";
import { readUpload, refusedUpload } from "#lib/files/read-upload.ts";
import { tableFile, tableResponse } from "#lib/files/table-file.ts";
import { addMonths } from "#lib/format/calendar.ts";
import { dayInZone, makeFormat } from "#lib/format/format.ts";
import { message } from "#lib/i18n/message.ts";
import { readExportFormat } from "#lib/list-answer.ts";
import { readProductCatalogue } from "#lib/products/data.ts";
import type { Scope } from "#lib/scope.ts";
import { UUID } from "#lib/search-params.ts";
import type { JudgeContext } from "./judge.ts";
import { sellablePeriods } from "./match-product.ts";
import type { ImportView } from "./queries.ts";
import { readImport } from "./read-file.ts";
import {
  IMPORT_FIELDS,
  MAX_IMPORT_BYTES,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  type ImportField,
  type ImportRunSummary,
} from "./rules.ts";
import type { ImportSearch } from "./search.ts";
import {
  countVerdicts,
  insertImport,
  readKnownHeadings,
  selectImport,
  selectImportRows,
  selectImports,
} from "./store.ts";
import { readTakeOver } from "./take-over.ts";

const PAGE = 50;
const SAMPLES = 3;

/** The newest imports. */
export async function listImports(scope: Scope): Promise<ImportRunSummary[]> {
  const { owner } = await requireSeller(scope, "subscriptions:create");
  return selectImports(database(), owner);
}

/** @returns null for an import that does not exist, or no longer exists */
export async function getImport(
  scope: Scope,
  id: string,
  { show, after, step }: ImportSearch,
): Promise<ImportView | null> {
  const signedIn = await requireSeller(scope, "subscriptions:create");
  const { owner, seller, now } = signedIn;
  const run = UUID.test(id) ? await selectImport(database(), owner, id) : null;
  if (!run) return null;
  const isMapping = run.started_at === null && (run.judged_at === null || step === "columns");
  const page = isMapping
    ? { show: null, after: 0, limit: SAMPLES }
    : { show, after: after ?? 0, limit: PAGE + 1 };
  const [counts, rows, catalogue] = await Promise.all([
    countVerdicts(database(), owner, id),
    selectImportRows(database(), owner, id, page),
    readProductCatalogue(signedIn).catch(expectedFailure),
  ]);
  const products = "products" in catalogue ? catalogue.products : [];
  const { money } = makeFormat(await getTranslations("format"), {
    ...seller,
    now,
    language: await getLocale(),
  });
  const isDeciding = !isMapping && run.started_at === null && counts.paid > 0;
  const shown = isMapping ? rows : rows.slice(0, PAGE);
  return {
    run,
    isMapping,
    counts,
    rows: shown,
    next: shown.length < rows.length ? String(shown.at(-1)?.position) : null,
    periods: sellablePeriods(products).map(({ product, plan, period }) => ({
      pbp_id: period.pbp_id,
      name: [product.name, plan.plan_name, period.label, money(period.price, period.currency)]
        .filter(Boolean)
        .join(" · "),
    })),
    failure: "products" in catalogue ? null : catalogue,
    takesPaidUntil: isDeciding ? await readTakeOver(signedIn) : "yes",
  };
}

/** The seller and their current catalogue, by which rows are judged. */
export async function judgeContextOf(signedIn: SignedIn): Promise<JudgeContext> {
  const { owner, seller } = signedIn;
  return { owner, home: seller, catalogue: await readProductCatalogue(signedIn) };
}

/**
 * Stores an uploaded or pasted table; its columns are confirmed next.
 * @throws AppError `validation` with the reason, for a file that cannot be read
 */
export async function uploadImport(
  scope: Scope,
  request: Request,
): Promise<{ id: string; isGuessed: boolean }> {
  const { owner, user } = await requireSeller(scope, "subscriptions:create");
  try {
    const bytes = await readUpload(request, {
      mostBytes: MAX_IMPORT_BYTES,
      empty: "imports.file.empty",
      large: "imports.file.heavy",
    });
    const known = await readKnownHeadings(database(), owner);
    const { isGuessed, ...table } = await readImport(bytes, known).catch((error: unknown) => {
      throw inWords(error);
    });
    const file_name = readFileName(request) || null;
    const id = await insertImport(database(), owner, user.id, { ...table, file_name });
    return { id, isGuessed };
  } catch (error) {
    return rethrowInLanguage(error);
  }
}

function inWords(error: unknown): unknown {
  if (!(error instanceof NoTableError)) return error;
  if (error.reason !== "large") return refusedUpload(`imports.file.${error.reason}`);
  const most = { count: MAX_IMPORT_ROWS, columns: MAX_IMPORT_COLUMNS };
  return invalidInput(message("imports.file.large", most));
}

/** A file with the headings and an invented buyer. */
export async function importTemplate(scope: Scope, request: Request): Promise<Response> {
  const { seller, now } = await requireSeller(scope, "subscriptions:create");
  const format = readExportFormat(new URL(request.url).searchParams);
  const t = await getTranslations("imports");
  const examples: Record<ImportField, string> = {
    name: t("template.example.name"),
    phone: "9800000000",
    email: "asha@example.com",
    address: t("template.example.address"),
    pan_vat: "",
    product: t("template.example.product"),
    price: "1000",
    paid_until: addMonths(dayInZone(now, seller.time_zone), 1),
  };
  const example = (field: ImportField) => examples[field];
  const body = tableFile<typeof example>({
    columns: IMPORT_FIELDS.map((field) => ({
      heading: t(`fields.${field}`),
      read: (of) => of(field),
    })),
    rows: [[example]],
    format,
    name: t("template.name"),
  });
  return tableResponse("duebook-buyers-template", format, body);
}
