import { isDay } from "./format/calendar.ts";

export type Parameters = URLSearchParams | Record<string, string | string[] | undefined>;

/** As a page gets its parameters; of one that is given twice the last counts. */
export function plainParameters(parameters: Parameters) {
  return parameters instanceof URLSearchParams ? Object.fromEntries(parameters) : parameters;
}

/** Reads an address or a form one by one, trimmed; null for what cannot be read. */
export function parameterReader(parameters: Parameters | FormData) {
  const given: Record<string, unknown> =
    parameters instanceof FormData
      ? Object.fromEntries(parameters)
      : plainParameters(parameters);
  const text = (name: string) => {
    const value = given[name];
    return typeof value === "string" ? value.trim() : "";
  };
  const read = (name: string, form: RegExp) => (form.test(text(name)) ? text(name) : null);
  const day = (name: string) => (isDay(text(name)) ? text(name) : null);
  return { text, read, day };
}

/** "?state=failed", without what is null; empty when all is. */
export function queryString(
  search: Record<string, string | number | null | undefined>,
): string {
  const given = Object.entries(search).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text && `?${text}`;
}
