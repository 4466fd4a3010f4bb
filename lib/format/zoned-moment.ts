import "server-only";
import { parseIsoMoment } from "./format.ts";

/**
 * The moment of a local time in the zone, ISO 8601 in UTC; the earlier one if it occurs twice. An
 * unknown zone counts as UTC. Null if unreadable.
 * @param local YYYY-MM-DD or YYYY-MM-DDTHH:MM; a day means its first moment
 */
export function zonedMoment(local: string, timeZone: string): string | null {
  try {
    const moment = Temporal.PlainDateTime.from(local).toZonedDateTime(knownZone(timeZone));
    return moment.toInstant().toString({ fractionalSecondDigits: 3 });
  } catch {
    return null;
  }
}

function knownZone(timeZone: string): string {
  try {
    return Temporal.PlainDate.from("1970-01-01").toZonedDateTime(timeZone).timeZoneId;
  } catch {
    return "UTC";
  }
}

interface LocalMoment {
  /** Local time: YYYY-MM-DDTHH:MM:SS */
  local: string;
  /** UTC offset: "+05:45" */
  offset: string;
}

/** A time range of one offset, in milliseconds since 1970. */
interface Span {
  from: number;
  until: number;
  offset: number;
}

/** Converts many moments of one zone, with cached offsets; an unknown zone counts as UTC. */
export function zoneConverter(timeZone: string): (iso: string) => LocalMoment | null {
  const spans: Span[] = [];
  const spanOf = (moment: number): Span => {
    const known = spans.find(({ from, until }) => from <= moment && moment < until);
    if (known) return known;
    const span = readSpan(moment, timeZone);
    spans.push(span);
    return span;
  };
  return (iso) => {
    const moment = parseIsoMoment(iso);
    if (moment === null) return null;
    const { offset } = spanOf(moment);
    return {
      local: new Date(moment + offset).toISOString().slice(0, -5),
      offset: writeOffset(offset),
    };
  };
}

function readSpan(moment: number, timeZone: string): Span {
  const time = Temporal.Instant.fromEpochMilliseconds(moment);
  const there = time.toZonedDateTimeISO(knownZone(timeZone));
  const [before, after] = (["previous", "next"] as const).map((side) =>
    there.add({ nanoseconds: 1 }).getTimeZoneTransition(side),
  );
  return {
    from: before?.epochMilliseconds ?? -Infinity,
    until: after?.epochMilliseconds ?? Infinity,
    // No zone has had an offset with seconds since 1972.
    offset: Math.round(there.offsetNanoseconds / 60e9) * 60_000,
  };
}

function writeOffset(offset: number): string {
  const minutes = Math.abs(offset) / 60_000;
  const two = (part: number) => String(part).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** An offset in seconds ahead of UTC and its start (ISO; null for the first). */
interface ZoneOffset {
  from: string | null;
  seconds: number;
}

/** The zone's offsets between two moments, earliest first. */
export function zoneOffsets(timeZone: string, since: string, until: string): ZoneOffset[] {
  const offsets: ZoneOffset[] = [];
  const end = Date.parse(until);
  for (let at = Date.parse(since); at < end;) {
    const span = readSpan(at, timeZone);
    const from = offsets.length === 0 ? null : new Date(span.from).toISOString();
    offsets.push({ from, seconds: span.offset / 1_000 });
    at = span.until;
  }
  return offsets;
}
