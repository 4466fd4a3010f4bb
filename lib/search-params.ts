import { isDay } from "./format/calendar.ts";

export type UrlParameters = URLSearchParams | Record<string, string | string[] | undefined>;

/** How to read and write one parameter of a URL. */
export interface ParameterField<Value> {
  /** @param text the trimmed parameter; empty if it is missing */
  read: (text: string) => Value;
  /** Null omits the parameter. Defaults are omitted, so that one view has one URL. */
  write: (value: Value) => string | null;
}

const optional = <Value>(
  read: (text: string) => Value | null,
): ParameterField<Value | null> => ({
  read,
  write: (value) => (value === null ? null : String(value)),
});

/** A parameter with one of these values; null for any other text. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  optional((text) => values.find((value) => value === text) ?? null);

/** A parameter with one of these values; any other text reads as `usual`, which the URL omits. */
export const oneOfWithDefault = <const Value extends string | number>(
  values: readonly Value[],
  usual: NoInfer<Value>,
): ParameterField<Value> => ({
  read: (text) => values.find((value) => String(value) === text) ?? usual,
  write: (value) => (value === usual ? null : String(value)),
});

/** A parameter with a text that matches the pattern; null for any other text. */
export const textMatching = (form: RegExp) =>
  optional((text) => (form.test(text) ? text : null));

/** A month, YYYY-MM, of the years that the service and the calendars know. */
export const MONTH = /^(19|20)\d{2}-(0[1-9]|1[0-2])$/;

/** A fiscal year as in the numbers of bills: 2083/84 or 2026. */
export const FISCAL_YEAR = /^\d{4}(\/\d{2})?$/;

/** A text, cut off at `longest` characters; null if empty. */
export const shortText = (longest: number) =>
  optional((text) => text.slice(0, longest) || null);

/** A parameter with a calendar day, YYYY-MM-DD; null for any other text. */
export const calendarDayOrNull = () => optional((text) => (isDay(text) ? text : null));

/** A UUID in lower case, as PostgreSQL writes it. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A parameter with a UUID, read in lower case; null for any other text. */
export const uuidOrNull = () =>
  optional((text) => {
    const id = text.toLowerCase();
    return UUID.test(id) ? id : null;
  });

/** A parameter with a whole number from 1 to `most`; null for any other text. */
export const wholeNumber = (most: number) => optional((text) => readWholeNumber(text, most));

/**
 * A parameter with a whole number from 1 to `most`; any other text reads as `usual`, which the URL
 * omits.
 */
export const wholeNumberWithDefault = (
  most: number,
  usual: number,
): ParameterField<number> => ({
  read: (text) => readWholeNumber(text, most) ?? usual,
  write: (value) => (value === usual ? null : String(value)),
});

function readWholeNumber(text: string, most: number): number | null {
  return /^[1-9]\d{0,14}$/.test(text) && Number(text) <= most ? Number(text) : null;
}

/**
 * The state in a URL, by its parameters. Not zod, which would be an eighth of a list's script (ADR
 * 0009).
 */
export function defineSearch<Search extends object>(fields: {
  [Name in keyof Search]: ParameterField<Search[Name]>;
}) {
  const names = Object.keys(fields) as (keyof Search & string)[];
  return {
    /** Reads a URL or a form; unreadable parameters get their default. */
    parse: (parameters: UrlParameters | FormData): Search => {
      const textOf = textReader(parameters);
      const read = names.map((name) => [name, fields[name].read(textOf(name))]);
      return Object.fromEntries(read) as Search;
    },
    /**
     * The query string without defaults, such as "?state=failed"; empty if all values are defaults.
     */
    toQuery: (search: Partial<Search>): string => {
      const given = names.flatMap((name) => {
        const value = search[name];
        const text = value === undefined ? null : fields[name].write(value);
        return text === null ? [] : [[name, text]];
      });
      const text = new URLSearchParams(given).toString();
      return text && `?${text}`;
    },
  };
}

export type SearchOf<Definition extends { parse: (parameters: never) => unknown }> = ReturnType<
  Definition["parse"]
>;

/** Reads single parameters. Of a repeated one the last counts; an array of values counts as none. */
export function textReader(parameters: UrlParameters | FormData) {
  const given: Record<string, unknown> =
    parameters instanceof URLSearchParams || parameters instanceof FormData
      ? Object.fromEntries(parameters)
      : parameters;
  return (name: string): string => {
    const value = given[name];
    return typeof value === "string" ? value.trim() : "";
  };
}
