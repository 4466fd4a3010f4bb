import type { BillSettings } from "#contract/payments.ts";
import { toBikramSambat } from "#contract/process/bikram-sambat.ts";

type FiscalYearKind = BillSettings["fiscal_year"];

const nameOf = (kind: FiscalYearKind, begins: number): string =>
  kind === "nepal" ? `${begins}/${String(begins + 1).slice(-2)}` : String(begins);

/**
 * The fiscal year of a day, as in the numbers of bills: 2083/84, or 2026. Nepal's begins on 1
 * Shrawan; beyond the known calendar it begins on 17 July, as at the service.
 * @param day YYYY-MM-DD
 */
export function fiscalYearOf(kind: FiscalYearKind, day: string): string {
  const year = Number(day.slice(0, 4));
  if (kind !== "nepal") return nameOf(kind, year);
  const bs = toBikramSambat(day);
  const hasBegun = bs ? bs.month >= 4 : day.slice(5) >= "07-17";
  return nameOf(kind, (bs?.year ?? year + 57) - (hasBegun ? 0 : 1));
}

/** The fiscal year of a day and those before it, the newest first, and the chosen one. */
export function listedFiscalYears(
  kind: FiscalYearKind,
  { day, chosen, count }: { day: string; chosen: string | null; count: number },
): string[] {
  const newest = Number(fiscalYearOf(kind, day).slice(0, 4));
  const years = Array.from({ length: count }, (_, back) => nameOf(kind, newest - back));
  return chosen === null || years.includes(chosen) ? years : [...years, chosen];
}
