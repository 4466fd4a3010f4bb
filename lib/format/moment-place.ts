/**
 * Where the next page of a list begins that is sorted by a moment and, of one moment, by number: microseconds
 * since 1970 and the number of the last row of the page before. What is kept later for an earlier moment moves
 * no page.
 */
export const MOMENT_PLACE = /^\d{1,16}-[1-9]\d{0,17}$/;

/** As SQL writes it. @param at @param id columns */
export const placeOf = (at: string, id: string): string =>
  `(extract(epoch from ${at}) * 1000000)::bigint || '-' || ${id}`;

/** Whether a row comes after the place, newest first. @param place a parameter, `$3` */
export const isAfterPlace = (at: string, id: string, place: string): string =>
  `(${at}, ${id}) < ('epoch'::timestamptz
     + split_part(${place}, '-', 1)::bigint * interval '1 microsecond',
    split_part(${place}, '-', 2)::bigint)`;
