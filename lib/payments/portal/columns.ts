import type { TableCell } from "#lib/files/read-table.ts";

/** The columns that are read from a portal's statement. */
export const STATEMENT_COLUMNS = [
  "reference",
  "transaction_id",
  "amount",
  "currency",
  "state",
  "at",
] as const;
export type StatementColumn = (typeof STATEMENT_COLUMNS)[number];

/** The place of each column among the headings; null for a missing column. */
export type StatementPlaces = Record<StatementColumn, number | null>;

type Headings = Partial<Record<StatementColumn, readonly string[]>>;

/** Headings of any portal, the likeliest first; normalised as `plain` does it. */
const COMMON: Required<Headings> = {
  reference: [
    "reference",
    "merchant reference",
    "merchant transaction id",
    "merchant txn id",
    "order id",
  ],
  transaction_id: ["transaction id", "txn id", "transaction code", "transaction"],
  amount: [
    "amount",
    "transaction amount",
    "txn amount",
    "total amount",
    "paid amount",
    "gross amount",
    "credit amount",
    "credit",
    "amount rs",
    "amount npr",
    "amount in rs",
    "total",
  ],
  currency: ["currency", "currency code", "transaction currency", "txn crncy"],
  state: ["status", "transaction status", "payment status", "txn status", "state"],
  at: [
    "date",
    "transaction date",
    "txn date",
    "date time",
    "transaction date time",
    "transaction time",
    "payment date",
    "paid at",
    "created",
    "created utc",
    "created on",
    "created at",
    "transmission date",
  ],
};

/** Headings of single portals, which can mean another column at other portals. */
const OF_PROVIDER: Record<string, Headings> = {
  esewa: {
    reference: ["transaction uuid", "product id", "pid", "request id"],
    transaction_id: ["transaction code", "reference code", "ref id", "reference id", "refid"],
  },
  khalti: {
    reference: ["pidx"],
    transaction_id: ["idx", "transaction idx"],
  },
  connectips: {
    reference: ["txnid", "txn id", "transaction id"],
    transaction_id: ["connectips txn id", "ips txn id", "nchl txn id", "batch id"],
    state: ["credit status"],
  },
  fonepay: {
    reference: ["prn", "payment reference number", "invoice number", "bill id"],
    transaction_id: ["fonepay trace id", "trace id", "uid", "unique id"],
  },
  stripe: {
    reference: ["checkout session id", "session id"],
    transaction_id: ["paymentintent id", "payment intent id"],
  },
};

const plain = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim();

/** Finds the columns of a row of headings. @param provider as the service names it */
export function findColumns(provider: string, headings: readonly TableCell[]): StatementPlaces {
  const names = headings.map((heading) => plain(heading ?? ""));
  const own = OF_PROVIDER[provider === "fonepay_qr" ? "fonepay" : provider] ?? {};
  const taken = new Set<number>();
  const find = (known: readonly string[] = []) => {
    const at = known.map((name) => names.indexOf(name)).find((i) => i >= 0 && !taken.has(i));
    if (at !== undefined) taken.add(at);
    return at ?? null;
  };
  const places = noColumns();
  for (const column of STATEMENT_COLUMNS) places[column] = find(own[column]);
  for (const column of STATEMENT_COLUMNS) places[column] ??= find(COMMON[column]);
  return places;
}

const noColumns = (): StatementPlaces => ({
  reference: null,
  transaction_id: null,
  amount: null,
  currency: null,
  state: null,
  at: null,
});

/** The number of rows that may contain the headings: portals put names and addresses above them. */
export const HEADING_ROWS = 20;

export const countColumns = (places: StatementPlaces) =>
  Object.values(places).filter((place) => place !== null).length;

/** Whether payments can be found by these columns. */
export const isEnough = ({ reference, transaction_id, amount }: StatementPlaces) =>
  amount !== null && (reference !== null || transaction_id !== null);

/** The place of the row of headings: with the most known headings, else with the most filled cells. */
export function findHeadings(
  provider: string,
  rows: readonly (readonly TableCell[])[],
): number {
  const first = rows.slice(0, HEADING_ROWS);
  const scores = first.map((row) => countColumns(findColumns(provider, row)) * 1_000);
  const filled = first.map((row) => row.filter((cell) => cell?.trim()).length);
  const best = scores.map((score, at) => score + (filled[at] ?? 0));
  return Math.max(best.indexOf(Math.max(...best)), 0);
}

/**
 * Reads the columns that a person has chosen, such as `reference:0,amount:3`; null if the text is
 * malformed, or names places that do not exist.
 */
export function readPlaces(text: string, width: number): StatementPlaces | null {
  const places = noColumns();
  for (const part of text.split(",")) {
    const [name, place] = part.split(":");
    const column = STATEMENT_COLUMNS.find((each) => each === name);
    const at = Number(place);
    if (!column || !/^\d{1,3}$/.test(place ?? "") || at >= width) return null;
    places[column] = at;
  }
  return places;
}

export const writePlaces = (places: StatementPlaces): string =>
  STATEMENT_COLUMNS.filter((column) => places[column] !== null)
    .map((column) => `${column}:${places[column]}`)
    .join(",");
