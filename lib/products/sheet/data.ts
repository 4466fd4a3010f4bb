import "server-only";
import { getLocale, getTranslations } from "next-intl/server";
import type { AccountProduct } from "#contract/account.ts";
import { MAX_PAGE_SIZE } from "#contract/names.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { rethrowInLanguage } from "#lib/auth/guards/action.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { AccountClient } from "#lib/billing/account-client.ts";
import { invalidInput } from "#lib/failure.ts";
import { NoTableError } from "#lib/files/read-table.ts";
import { readUpload, refusedUpload } from "#lib/files/read-upload.ts";
import { tableFile, tableResponse } from "#lib/files/table-file.ts";
import { dayInZone } from "#lib/format/format.ts";
import { LANGUAGES } from "#lib/i18n/languages.ts";
import { message, translateMessage, type Translate } from "#lib/i18n/message.ts";
import { readExportFormat } from "#lib/list-answer.ts";
import type { Scope } from "#lib/scope.ts";
import { requireCatalogueAccount } from "../account.ts";
import { checkSheet } from "./check.ts";
import { headingOf, MAX_SHEET_BYTES, MOST_SHEET_ROWS, SHEET_COLUMNS } from "./columns.ts";
import type { RowChecks, SheetCheck } from "./queries.ts";
import { sheetRowsOf, type SheetRow } from "./rows.ts";
import { readSheet, WrongColumnsError } from "./table.ts";

/**
 * The catalogue as a file, or a file with its headings alone.
 * @throws AppError `not_offered` where the catalogue cannot be changed here
 */
export async function exportCatalogue(scope: Scope, request: Request): Promise<Response> {
  const signedIn = await requireSeller(scope, "products:write");
  const { owner, seller, now } = signedIn;
  const { searchParams } = new URL(request.url);
  const format = readExportFormat(searchParams);
  const isTemplate = searchParams.has("template");
  const t = await getTranslations("sheet");
  const account = await requireCatalogueAccount(owner);
  const body = tableFile<SheetRow>({
    columns: SHEET_COLUMNS.map((column) => ({
      heading: headingOf(t, column),
      kind: NUMBERS.has(column) ? "number" : "text",
      read: (row) => row[column],
    })),
    rows: isTemplate ? [] : await openRows(account, t),
    format,
    name: t("name"),
  });
  if (!isTemplate)
    await auditExport(signedIn, { action: "product.export", detail: { format } });
  const day = dayInZone(now, seller.time_zone);
  const name = `duebook-products-${isTemplate ? "template" : `${owner.mode}-${day}`}`;
  return tableResponse(name, format, body);
}

const NUMBERS = new Set<string>(["price", "vat_percentage", "interval_count", "order"]);

/** The first page is read before the file begins, so that a failure has an answer of its own. */
async function openRows(account: AccountClient, t: Translate<"sheet">) {
  const pages = productPages(account);
  const first = await pages.next();
  async function* rows() {
    if (!first.done) yield first.value.flatMap((product) => sheetRowsOf(product, t));
    for await (const products of pages)
      yield products.flatMap((product) => sheetRowsOf(product, t));
  }
  return rows();
}

async function* productPages(account: AccountClient): AsyncGenerator<AccountProduct[]> {
  for (let page = 1; ; page += 1) {
    const { results, next } = await account.listProducts({ page, page_size: MAX_PAGE_SIZE });
    yield results;
    if (next === null) return;
  }
}

/**
 * Checks an uploaded file against the catalogue; changes nothing.
 * @throws AppError `validation` with the reason, for a file that cannot be read
 */
export async function checkUpload(scope: Scope, request: Request): Promise<SheetCheck> {
  const signedIn = await requireSeller(scope, "products:write");
  return check(signedIn, request).catch(rethrowInLanguage);
}

async function check(
  { owner, seller, now }: Pick<SignedIn, "owner" | "seller" | "now">,
  request: Request,
): Promise<SheetCheck> {
  const bytes = await readUpload(request, {
    mostBytes: MAX_SHEET_BYTES,
    empty: "sheet.file.empty",
    large: "sheet.file.heavy",
  });
  const account = await requireCatalogueAccount(owner);
  const own = await getLocale();
  const others = LANGUAGES.filter((language) => language !== own);
  const [t, ...more] = await Promise.all(
    ([own, ...others] as const).map((locale) =>
      getTranslations({ locale, namespace: "sheet" }),
    ),
  );
  if (!t) throw new Error("the user's language has no texts");
  const languages = [t, ...more] as const;
  const table = await readSheet(bytes, languages).catch((error: unknown) => {
    throw inWords(error, t);
  });
  const { currency } = seller;
  const format = await getTranslations("format");
  const saved = (await Array.fromAsync(productPages(account))).flat();
  const { ignored, missing, isGuessed } = table;
  return {
    ...(await translated(checkSheet(table, saved, { languages, format, currency }))),
    ignored,
    missing,
    isGuessed,
    checked_at: now,
  };
}

/** Turns the error of an unreadable file into a failure with a text. */
function inWords(error: unknown, t: Translate<"sheet">): unknown {
  if (error instanceof NoTableError) {
    const count = MOST_SHEET_ROWS - 1;
    return error.reason === "large"
      ? invalidInput(message("sheet.file.large", { count }))
      : refusedUpload(`sheet.file.${error.reason}`);
  }
  if (!(error instanceof WrongColumnsError)) return error;
  const columns = error.columns.map((column) => headingOf(t, column)).join(", ");
  return invalidInput(message(`sheet.file.${error.reason}`, { columns }));
}

async function translated({ rows, changes }: RowChecks): Promise<RowChecks> {
  const t = await getTranslations();
  return {
    changes,
    rows: rows.map((row) => ({
      ...row,
      problems: row.problems.map((text) => translateMessage(t, text)),
    })),
  };
}
