/** Control characters and direction marks, which make one text look like another. */
const HIDDEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const holdsHidden = (text: string): boolean => HIDDEN.test(text);
