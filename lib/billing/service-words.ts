import { readErrorMessages, type ErrorMessages } from "#contract/errors.ts";
import { holdsHidden } from "#lib/text/visible-text.ts";
import { WORDLESS } from "#lib/failure.ts";

const LONGEST = 300;
const MOST_FIELDS = 20;

// What a server prints when it breaks down is for its own people, and may hold their secrets.
const BREAKDOWN =
  /Traceback \(most recent|\bFile "[^"]+", line \d|(?:^|\s)at \S+ \(?\S+:\d+(?::\d+)?\)?|\w\.(?:py|php|rb|js|ts|java|go):\d+/;
const MARKUP =
  /<(?:!doctype|!--|\/?(?:html|head|body|title|style|script|center|div|p|pre|h\d|table|span|img|svg|a|br|hr|b|i)\b)/i;

/** A message of the service as it can be shown; empty when it is none for people. */
export function plainWords(text: string): string {
  const beginning = text.slice(0, 10 * LONGEST);
  if (MARKUP.test(beginning) || BREAKDOWN.test(beginning)) return "";
  const line = beginning.replace(/\s+/g, " ").trim();
  const shown = Array.from(line).filter((letter) => !holdsHidden(letter));
  return shown.length > LONGEST
    ? `${shown.slice(0, LONGEST).join("").trimEnd()}…`
    : shown.join("");
}

/** The words of a refusal, without what could not be shown; null and no fields when there are none. */
export function readPlainMessages(body: unknown): ErrorMessages {
  const { detail, fields } = readErrorMessages(body);
  const plain = Object.entries(fields)
    .slice(0, MOST_FIELDS)
    .map(([path, messages]) => [path, [plainWords(messages.join(" ")) || WORDLESS]]);
  return { detail: plainWords(detail ?? "") || null, fields: Object.fromEntries(plain) };
}
