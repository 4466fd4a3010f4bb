import "server-only";
import { zoneOffsets } from "#lib/format/zoned-moment.ts";
import type { Bind } from "./find-rows.ts";

/**
 * SQL of what clocks in a zone show at a moment, through the zone's offsets themselves: the database
 * reads "+05:45" the other way round. @param until a day up to which the zone's changes are known
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
  // The first of them counts for whatever is before the second one.
  const from = bind(offsets.slice(1).map((offset) => offset.from));
  const all = bind(steps);
  return (moment) =>
    `${utc(moment)} + (${all}::interval[])[width_bucket(${moment}, ${from}::timestamptz[]) + 1]`;
}
