import type { Attempt } from "#contract/deliveries.ts";

/** A piece of text that both sides have, or only one. */
export interface DiffPart {
  of: "both" | "left" | "right";
  text: string;
}

const WORD = /\s|[\p{L}\p{N}_]+|./gsu;
/** The largest comparison table; a larger one would block the page. */
const MAX_CELLS = 400_000;

/** Compares two texts word by word; a long differing middle is not compared further. */
export function diffTexts(left: string, right: string): DiffPart[] {
  const one: string[] = left.match(WORD) ?? [];
  const other: string[] = right.match(WORD) ?? [];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start++;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one.at(-1 - end) === other.at(-1 - end)
  )
    end++;
  const middle = (words: string[]) => words.slice(start, words.length - end);
  return mergeParts([
    { of: "both", text: one.slice(0, start).join("") },
    ...between(middle(one), middle(other)),
    { of: "both", text: one.slice(one.length - end).join("") },
  ]);
}

function between(one: string[], other: string[]): DiffPart[] {
  if (one.length * other.length > MAX_CELLS)
    return [
      { of: "left", text: one.join("") },
      { of: "right", text: other.join("") },
    ];
  const parts: DiffPart[] = [];
  const shared = sharedLengths(one, other);
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      parts.push({ of: "both", text: one[i++] ?? "" });
      j++;
    } else if (
      j >= other.length ||
      (i < one.length && at(shared, i + 1, j) >= at(shared, i, j + 1))
    )
      parts.push({ of: "left", text: one[i++] ?? "" });
    else parts.push({ of: "right", text: other[j++] ?? "" });
  }
  return parts;
}

const at = (table: Uint32Array[], row: number, column: number) => table[row]?.[column] ?? 0;

/**
 * For each pair of positions, the length of the longest common subsequence of words from there to
 * the ends.
 */
function sharedLengths(one: string[], other: string[]): Uint32Array[] {
  const table = Array.from({ length: one.length + 1 }, () => new Uint32Array(other.length + 1));
  for (let i = one.length - 1; i >= 0; i--)
    for (let j = other.length - 1; j >= 0; j--) {
      const row = table[i];
      if (row)
        row[j] =
          one[i] === other[j]
            ? at(table, i + 1, j + 1) + 1
            : Math.max(at(table, i + 1, j), at(table, i, j + 1));
    }
  return table;
}

function mergeParts(parts: DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  for (const { of, text } of parts) {
    const last = result.at(-1);
    if (text === "") continue;
    if (last?.of === of) last.text += text;
    else result.push({ of, text });
  }
  return result;
}

/** Shortens long common parts to the text beside a difference. */
export function shortenCommonParts(parts: DiffPart[], around = 40): DiffPart[] {
  return parts.map(({ of, text }, place) => {
    if (of !== "both" || text.length <= 2 * around + 1) return { of, text };
    const before = place === 0 ? "" : text.slice(0, around);
    const after = place === parts.length - 1 ? "" : text.slice(-around);
    return { of, text: `${before}…${after}` };
  });
}

const NAMES: Record<string, string> = { "\n": "↵\n", "\r": "␍", "\t": "⇥", "\u00a0": "⍽" };

/** Makes line ends, tabs, hard spaces and zero-width characters visible. */
export const makeVisible = (text: string): string =>
  text.replace(
    /[\n\r\t\u00a0]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      NAMES[character] ??
      `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

/** One property of two attempts; null where an attempt lacks it. */
export interface AttemptProperty {
  name: string;
  left: string | null;
  right: string | null;
  is_same: boolean;
}

const pair = (name: string, left: string | null, right: string | null): AttemptProperty => ({
  name,
  left,
  right,
  is_same: left === right,
});

interface AttemptComparison {
  /** The headers in the left attempt's order, then those that only the right one has. */
  headers: AttemptProperty[];
  address: AttemptProperty;
  body: AttemptProperty;
  /** Status code of the response; null without one. */
  code: AttemptProperty;
  answer: AttemptProperty;
  error: AttemptProperty;
  /** Durations in milliseconds; `more` is right minus left. */
  duration: { left: number; right: number; more: number };
  /** Seconds between the starts of the left and the right attempt. */
  apart: number;
  count: number;
}

export function compareAttempts(left: Attempt, right: Attempt): AttemptComparison {
  const headerOf = ({ request }: Attempt, name: string) => request.headers[name] ?? null;
  const names = [...Object.keys(left.request.headers), ...Object.keys(right.request.headers)];
  const headers = [...new Set(names)].map((name) =>
    pair(name, headerOf(left, name), headerOf(right, name)),
  );
  const codeOf = ({ response }: Attempt) => (response ? String(response.code) : null);
  const compared = {
    address: pair("url", left.request.url, right.request.url),
    body: pair("body", left.request.body, right.request.body),
    code: pair("code", codeOf(left), codeOf(right)),
    answer: pair("answer", left.response?.body ?? null, right.response?.body ?? null),
    error: pair("error", left.error, right.error),
  };
  return {
    headers,
    ...compared,
    duration: {
      left: left.duration_ms,
      right: right.duration_ms,
      more: right.duration_ms - left.duration_ms,
    },
    apart: Math.round((Date.parse(right.started_at) - Date.parse(left.started_at)) / 1_000),
    count: [...headers, ...Object.values(compared)].filter(({ is_same }) => !is_same).length,
  };
}
