import { withoutWords, type LogFields } from "./log.ts";

const MINUTE = 60_000;

/**
 * What a log says of a database that is away: one line a minute, with the cause and how many more there
 * were. Whoever asks meanwhile is told by the answer.
 */
export function boundOutage(
  write: (msg: string, fields: LogFields) => void,
  now = Date.now,
): (error: unknown) => void {
  let told = -Infinity;
  let left_out = 0;
  return (error) => {
    if (now() - told < MINUTE) {
      left_out += 1;
      return;
    }
    const more = left_out > 0 ? { left_out } : {};
    write("the database is away", { ...causeOf(error), ...more });
    told = now();
    left_out = 0;
  };
}

/** In the driver's own words, which quote no value; a connection refused at several addresses has none. */
const causeOf = (error: unknown) =>
  error instanceof Error
    ? { cause: error.message || undefined, fault: withoutWords(error) }
    : { cause: String(error) };
