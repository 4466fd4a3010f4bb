import "server-only";
import { zoneOffsets } from "#lib/format/zoned-moment.ts";
import type { Bind } from "./find-rows.ts";

/**
 * SQL of a moment's local time in a zone, from the zone's offsets: PostgreSQL reads "+05:45" with the
 * opposite sign.
 * @param until a day up to which the zone's changes are known
 */
export function localTime(
  bind: Bind,
  time_zone: string,
  until: string,
): (moment: string) => string {
  const offsets = zoneOffsets(time_zone, "2000-01-01", until);
  const steps = offsets.map(({ seconds }) => `${seconds} seconds`);
  const utc = (moment: string) => `${moment} at time zone 'UTC'`;
  if (steps.length === 1) {
    const step = `${bind(steps[0])}::interval`;
    return (moment) => `${utc(moment)} + ${step}`;
  }
  // The first offset also applies before it.
  const from = bind(offsets.slice(1).map((offset) => offset.from));
  const all = bind(steps);
  return (moment) =>
    `${utc(moment)} + (${all}::interval[])[width_bucket(${moment}, ${from}::timestamptz[]) + 1]`;
}
