import "server-only";
import { LenientCreateSubscription, MAX_TAKEN_OVER_DAYS } from "#contract/subscriptions.ts";
import {
  asciiDigits,
  phoneCountryOf,
  phoneKey,
  type PhoneHome,
} from "#contract/phone-number.ts";
import { phoneSpellings, toInternational } from "#contract/process/phone-number.ts";
import { withFormulas } from "#lib/files/table-file.ts";
import { addDays } from "#lib/format/calendar.ts";
import { hasHiddenCharacters } from "#lib/text/fold-text.ts";
import { readImportDay } from "./dates.ts";
import type { ProductMatcher } from "./match-product.ts";
import { type DateOrder, type ImportField, type ImportRow, type RowProblem } from "./rules.ts";

/** The text of each field that has a column in the file or a correction; null for a formula. */
export type RowTexts = Partial<Record<ImportField, string | null>>;

export interface Reading {
  match: ProductMatcher;
  /** The seller's country, to which phone numbers without a calling code belong. */
  home: PhoneHome;
  order: DateOrder;
  /** The seller's day, YYYY-MM-DD. */
  today: string;
  defaults: { pbp_id: string | null; email: string | null; address: string | null };
}

/** The values of a row's cells; null where a cell is empty or cannot be read. */
export interface ReadCells extends Pick<
  ImportRow,
  | "name"
  | "phone"
  | "email"
  | "address"
  | "pan_vat"
  | "pbp_id"
  | "product_id"
  | "paid_until"
  | "problems"
> {
  /** A key that all spellings of the phone number share; null without a valid number. */
  phone_key: string | null;
  /** The keys under which records may store the number. */
  phone_keys: string[];
}

const Client = LenientCreateSubscription.shape.client;

/**
 * A cell as people see it: without invisible characters, wide spaces and the apostrophe before a
 * formula.
 */
export const shownText = (cell: string): string =>
  withFormulas(cell)
    .normalize("NFC")
    .replace(/[\ufeff\u200b\u2060]/g, "")
    .replace(/[\s\u00a0]+/g, " ")
    .trim();

export function readCells(texts: RowTexts, reading: Reading): ReadCells {
  const problems = new Set<RowProblem>();
  const text = (field: ImportField) => {
    const cell = texts[field];
    if (cell === null) problems.add("formula");
    const shown = shownText(cell ?? "");
    if (!hasHiddenCharacters(shown)) return shown;
    problems.add("hidden_characters");
    return "";
  };
  const { defaults } = reading;
  const name = text("name");
  const email = text("email") || (defaults.email ?? "");
  const address = text("address") || (defaults.address ?? "");
  const pan_vat = asciiDigits(text("pan_vat")).replace(/[\s-]/g, "");
  const phone = readPhone(text("phone"), reading.home);
  for (const problem of clientProblems({ name, phone: phone.text, email, address, pan_vat }))
    problems.add(problem);
  if (phone.problem) problems.add(phone.problem);
  const product = reading.match(text("product"), text("price"), defaults.pbp_id);
  if (typeof product === "string") problems.add(product);
  const paid_until = readPaidUntil(text("paid_until"), reading, problems);
  // A row with an unreadable cell is not reported as having empty ones.
  const isUnread = problems.has("formula") || problems.has("hidden_characters");
  const isSaid = (problem: RowProblem) => !isUnread || !problem.startsWith("missing_");
  const found = typeof product === "string" ? null : product;
  if (found?.isOneTime && paid_until !== null) problems.add("once_dated");
  return {
    name: name || null,
    phone: phone.text || null,
    phone_key: phone.key,
    phone_keys: phone.keys,
    email: email || null,
    address: address || null,
    pan_vat: pan_vat || null,
    pbp_id: found?.pbp_id ?? null,
    product_id: found?.product_id ?? null,
    paid_until,
    problems: [...problems].filter(isSaid),
  };
}

interface ReadPhone {
  text: string;
  key: string | null;
  keys: string[];
  problem?: RowProblem;
}

function readPhone(cell: string, home: PhoneHome): ReadPhone {
  const text = asciiDigits(cell).replace(/^tel:/i, "");
  const none = { text, key: null, keys: [] };
  if (text === "") return { ...none, problem: "missing_phone" };
  const number = toInternational(text, home);
  const isUnknown = phoneCountryOf(home) === null && !/^(\+|00)/.test(text);
  const key = phoneKey(number ?? text);
  if ((number === null && !isUnknown) || key === "") return { ...none, problem: "bad_phone" };
  return { text, key, keys: phoneSpellings(text, home) };
}

type Given = Record<"name" | "phone" | "email" | "address" | "pan_vat", string>;

/** The problems for which the API would refuse to create the buyer. */
function clientProblems({ name, phone, email, address, pan_vat }: Given): RowProblem[] {
  const business = { billing_business_name: name, billing_email: email };
  const billing = pan_vat
    ? { ...business, billing_address: address, billing_pan_vat: pan_vat }
    : null;
  const client = { full_name: name, phone, email, address, billing };
  const { error } = Client.safeParse(client);
  return (error?.issues ?? []).flatMap(({ path }) => {
    const [field, part] = path;
    if (field === "billing") return part === "billing_pan_vat" ? ["bad_pan_vat"] : [];
    if (field === "full_name") return [name === "" ? "missing_name" : "long_name"];
    if (field === "email") return [email === "" ? "missing_email" : "bad_email"];
    if (field === "address") return [address === "" ? "missing_address" : "long_address"];
    return field === "phone" && phone !== "" ? ["bad_phone"] : [];
  });
}

function readPaidUntil(
  cell: string,
  { order, today }: Reading,
  problems: Set<RowProblem>,
): string | null {
  if (cell === "") return null;
  const day = readImportDay(cell, order);
  const isFar =
    day !== null &&
    (day > addDays(today, MAX_TAKEN_OVER_DAYS) || day < addDays(today, -MAX_TAKEN_OVER_DAYS));
  if (day === null) problems.add("bad_date");
  if (isFar) problems.add("far_date");
  return isFar ? null : day;
}
