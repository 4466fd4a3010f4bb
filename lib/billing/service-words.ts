import { readErrorMessages, type ErrorMessages } from "#contract/errors.ts";
import { holdsHidden } from "#lib/text/visible-text.ts";
import { WORDLESS } from "#lib/failure.ts";

const LONGEST = 300;
const MOST_FIELDS = 20;

// Stack traces are meant for the service's operators and may hold secrets.
const BREAKDOWN =
  /Traceback \(most recent|\bFile "[^"]+", line \d|(?:^|\s)at \S+ \(?\S+:\d+(?::\d+)?\)?|\w\.(?:py|php|rb|js|ts|java|go):\d+/;
const MARKUP =
  /<(?:!doctype|!--|\/?(?:html|head|body|title|style|script|center|div|p|pre|h\d|table|span|img|svg|a|br|hr|b|i)\b)/i;

/** A service message that is fit to show; empty if it is markup or a stack trace. */
export function plainWords(text: string): string {
  const beginning = text.slice(0, 10 * LONGEST);
  if (MARKUP.test(beginning) || BREAKDOWN.test(beginning)) return "";
  const line = beginning.replace(/\s+/g, " ").trim();
  const shown = Array.from(line).filter((letter) => !holdsHidden(letter));
  return shown.length > LONGEST
    ? `${shown.slice(0, LONGEST).join("").trimEnd()}…`
    : shown.join("");
}

/** The messages of a refusal that are fit to show. */
export function readPlainMessages(body: unknown): ErrorMessages {
  const { detail, fields } = readErrorMessages(body);
  const plain = Object.entries(fields)
    .slice(0, MOST_FIELDS)
    .map(([path, messages]) => [path, [plainWords(messages.join(" ")) || WORDLESS]]);
  return { detail: plainWords(detail ?? "") || null, fields: Object.fromEntries(plain) };
}
