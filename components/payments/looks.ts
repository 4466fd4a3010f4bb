// A payment usually arrives soon; later checks are rare but go on, as the open page promises.
const FIRST = [2, 3, 5, 10, 20];
const THEN = 60;

/** Seconds until the next check. */
export const secondsBeforeLook = (looks: number): number => FIRST[looks] ?? THEN;
