import "server-only";
import { MOST_STATEMENT_ROWS } from "#contract/names.ts";
import { rethrowInLanguage } from "#lib/auth/guards/action.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import { writeAudit } from "#lib/auth/guards/write-audit.ts";
import { requireAccountClient } from "#lib/billing/account.ts";
import { PaymentAccountClient } from "#lib/billing/payment-client.ts";
import { database } from "#lib/db/pool.ts";
import { AppError, invalidInput } from "#lib/failure.ts";
import { NoTableError, readTable } from "#lib/files/read-table.ts";
import { readUpload, refusedUpload } from "#lib/files/read-upload.ts";
import { message } from "#lib/i18n/message.ts";
import type { Scope } from "#lib/scope.ts";
import {
  countColumns,
  findColumns,
  findHeadings,
  HEADING_ROWS,
  isEnough,
  readPlaces,
} from "./columns.ts";
import { MAX_STATEMENT_BYTES, type StatementCheck } from "./queries.ts";
import { readRows } from "./read.ts";

/** Portals write times in their country's zone; Stripe writes UTC. */
const zoneOf = (provider: string) => (provider === "stripe" ? "UTC" : "Asia/Kathmandu");

/** The most headings that are shown, and the most letters of a heading. */
const [MOST_HEADINGS, MOST_LETTERS] = [100, 80];

/**
 * Compares an uploaded statement of a provider's portal with the service's records; with `confirm`
 * the differences become tasks.
 * @throws AppError `validation` with the reason, for a file that cannot be read
 */
export async function compareUpload(scope: Scope, request: Request): Promise<StatementCheck> {
  const signedIn = await requireSeller(scope, "connection:write");
  return compare(signedIn, request).catch(rethrowInLanguage);
}

async function compare({ owner, user }: SignedIn, request: Request): Promise<StatementCheck> {
  const { searchParams } = new URL(request.url);
  const provider = searchParams.get("provider") ?? "";
  const isConfirmed = searchParams.has("confirm");
  const bytes = await readUpload(request, {
    mostBytes: MAX_STATEMENT_BYTES,
    empty: "payAccounts.statement.file.empty",
    large: "payAccounts.statement.file.heavy",
  });
  const client = await requireAccountClient(owner, PaymentAccountClient);
  const { results, providers } = await client.list();
  const account = results.find((each) => each.provider === provider);
  if (!account) throw new AppError({ kind: "not_found" });
  const { rows, isGuessed } = await readTable(bytes, {
    mostRows: MOST_STATEMENT_ROWS + HEADING_ROWS,
    fit: (headings) => countColumns(findColumns(provider, headings)),
    headingRows: HEADING_ROWS,
  }).catch((error: unknown) => {
    throw inWords(error);
  });
  const at = findHeadings(provider, rows);
  const headings = (rows[at] ?? [])
    .slice(0, MOST_HEADINGS)
    .map((heading) => (heading ?? "").trim().slice(0, MOST_LETTERS));
  const chosen = searchParams.get("columns");
  const places =
    (chosen && readPlaces(chosen, headings.length)) || findColumns(provider, headings);
  const known = { headings, places, isGuessed };
  if (!isEnough(places)) return { ...known, leftOut: [], covers: null, compared: null };
  const { entries, rowOf, leftOut, covers } = readRows(rows.slice(at + 1), at + 2, {
    places,
    currency: providers.find((each) => each.provider === provider)?.currencies[0] ?? "NPR",
    zone: zoneOf(provider),
    now: new Date(),
  });
  if (entries.length === 0) throw refusedUpload("payAccounts.statement.file.nothing");
  if (entries.length > MOST_STATEMENT_ROWS) throw tooMany();
  const compared = await client.statement(provider, {
    entries,
    covers_from: covers?.from ?? null,
    covers_to: covers?.to ?? null,
    is_confirmed: isConfirmed,
    takes_unknown: searchParams.get("unknown") !== "0",
  });
  if (isConfirmed)
    await writeAudit(database(), {
      ...owner,
      user_id: user.id,
      action: "payaccount.statement",
      result: "done",
      detail: { provider, payments: compared.listed, tasks: compared.opened },
    });
  return {
    ...known,
    leftOut,
    covers,
    compared: {
      ...compared,
      results: compared.results.map((each) => ({
        ...each,
        row: each.place === null ? null : (rowOf[each.place - 1] ?? null),
      })),
    },
  };
}

const tooMany = () =>
  invalidInput(message("payAccounts.statement.file.large", { count: MOST_STATEMENT_ROWS }));

function inWords(error: unknown): unknown {
  if (!(error instanceof NoTableError)) return error;
  return error.reason === "large"
    ? tooMany()
    : refusedUpload(`payAccounts.statement.file.${error.reason}`);
}
