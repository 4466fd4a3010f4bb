// A payment arrives soon, or its buyer has long gone; but a page that is still open has promised to say so.
const FIRST = [2, 3, 5, 10, 20];
const THEN = 60;

/** How long after the last look the next one comes. */
export const secondsBeforeLook = (looks: number): number => FIRST[looks] ?? THEN;
