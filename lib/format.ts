const DAY_MS = 86_400_000;

/** "NPR 1,999.00" from decimal text; text that is no number is shown as it came. */
export function formatMoney(amount: string, currency: string): string {
  const decimal = /^-?\d+(?:\.(\d+))?$/.exec(amount);
  if (!decimal) return `${currency} ${amount}`.trim();
  const format = moneyFormat(currency, decimal[1]?.length ?? 0);
  if (!format) return `${currency} ${amount}`.trim();
  // Decimal text goes in as it is: a number would round what it cannot hold.
  return format.format(amount as Intl.StringNumericLiteral).replace(/\u00a0/g, " ");
}

/** "20 Nov 2026": of a datetime in the given zone, of a date as it stands. */
export function formatDate(iso: string, timeZone: string): string {
  const day = calendarDay(iso, timeZone);
  if (!day) return iso;
  const [year, month, date] = day.split("-");
  return `${Number(date)} ${MONTHS[Number(month) - 1]} ${year}`;
}

/** "20 Nov 2026, 14:05" */
export function formatDateTime(iso: string, timeZone: string): string {
  const clock = formatTime(iso, timeZone);
  return clock ? `${formatDate(iso, timeZone)}, ${clock}` : formatDate(iso, timeZone);
}

/** "14:05"; empty for a date or for what is neither. */
export function formatTime(iso: string, timeZone: string): string {
  const parts = zonedParts(iso, timeZone);
  return parts ? `${parts["hour"]}:${parts["minute"]}` : "";
}

/** "today", "in 3 days", "2 months ago": counted in calendar days of the zone, never in hours. */
export function formatRelativeDay(iso: string, timeZone: string, now: string): string {
  const day = calendarDay(iso, timeZone);
  const today = calendarDay(now, timeZone);
  if (!day || !today) return "";
  const days = Math.round((Date.parse(day) - Date.parse(today)) / DAY_MS);
  const near = new Map([
    [-1, "yesterday"],
    [0, "today"],
    [1, "tomorrow"],
  ]).get(days);
  return near ?? (days > 0 ? `in ${spell(days)}` : `${spell(-days)} ago`);
}

/** YYYY-MM-DD of a moment in the zone; a date-only text is never shifted. Null if it is neither. */
export function calendarDay(iso: string, timeZone: string): string | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso)) return iso;
  const parts = zonedParts(iso, timeZone);
  return parts && `${parts["year"]}-${parts["month"]}-${parts["day"]}`;
}

/** "12,345" */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** The first letter as a reader sees it: a Devanagari one can be several characters. */
export function initialOf(name: string): string {
  const [first] = LETTERS.segment(name);
  return first?.segment.toUpperCase() ?? "";
}

const LETTERS = new Intl.Segmenter();
const COUNT = new Intl.NumberFormat("en");
// Spelled here, because browsers and Node differ in "Sep" and "Sept".
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

function spell(days: number): string {
  if (days < 45) return `${days} days`;
  const months = Math.round(days / 30.44);
  return months < 24 ? `${months} months` : `${Math.round(days / 365.25)} years`;
}

// Building a formatter costs a hundred times what using it does.
const moneyFormats = new Map<string, Intl.NumberFormat | null>();

function moneyFormat(currency: string, places: number): Intl.NumberFormat | null {
  const key = `${currency}/${places}`;
  let format = moneyFormats.get(key);
  if (format === undefined) {
    format = makeMoneyFormat(currency, places);
    moneyFormats.set(key, format);
  }
  return format;
}

function makeMoneyFormat(currency: string, places: number): Intl.NumberFormat | null {
  try {
    const options = { style: "currency", currency, currencyDisplay: "code" } as const;
    const usual =
      new Intl.NumberFormat("en", options).resolvedOptions().maximumFractionDigits ?? 2;
    return new Intl.NumberFormat("en", {
      ...options,
      maximumFractionDigits: Math.min(20, Math.max(places, usual)),
    });
  } catch {
    // Not of the form of a currency code.
    return null;
  }
}

const zoneFormats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let format = zoneFormats.get(timeZone);
  if (!format) {
    format = makeZoneFormat(timeZone) ?? zoneFormat("UTC");
    zoneFormats.set(timeZone, format);
  }
  return format;
}

function makeZoneFormat(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en", {
      timeZone,
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  } catch {
    return null;
  }
}

function zonedParts(iso: string, timeZone: string): Partial<Record<string, string>> | null {
  const moment = Date.parse(iso);
  if (/^\d{4}-\d{2}-\d{2}$/.test(iso) || Number.isNaN(moment)) return null;
  const parts = zoneFormat(timeZone).formatToParts(moment);
  return Object.fromEntries(parts.map(({ type, value }) => [type, value]));
}
