/** A cursor of a list sorted by moment, then number: microseconds since 1970 and the number of a row. */
export const MOMENT_CURSOR = /^\d{1,16}-[1-9]\d{0,17}$/;

/** SQL of a row's cursor. */
export const momentCursorSql = (at: string, id: string): string =>
  `(extract(epoch from ${at}) * 1000000)::bigint || '-' || ${id}`;

/** SQL condition: the row comes after the cursor, newest first. @param place such as `$3` */
export const isAfterCursorSql = (at: string, id: string, place: string): string =>
  `(${at}, ${id}) < ('epoch'::timestamptz
     + split_part(${place}, '-', 1)::bigint * interval '1 microsecond',
    split_part(${place}, '-', 2)::bigint)`;
