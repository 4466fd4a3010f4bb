import type { Attempt } from "#contract/deliveries.ts";

/** A stretch of text that both have, or that only one has. */
export interface Stretch {
  of: "both" | "left" | "right";
  text: string;
}

const WORD = /\s|[\p{L}\p{N}_]+|./gsu;
/** A table of more cells than this would hold the page up. */
const MOST_CELLS = 400_000;

/** Where two texts part, word by word; long texts in one stretch between what they share at both ends. */
export function differences(left: string, right: string): Stretch[] {
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
  return joined([
    { of: "both", text: one.slice(0, start).join("") },
    ...between(middle(one), middle(other)),
    { of: "both", text: one.slice(one.length - end).join("") },
  ]);
}

function between(one: string[], other: string[]): Stretch[] {
  if (one.length * other.length > MOST_CELLS)
    return [
      { of: "left", text: one.join("") },
      { of: "right", text: other.join("") },
    ];
  const stretches: Stretch[] = [];
  const shared = sharedLengths(one, other);
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && j < other.length && one[i] === other[j]) {
      stretches.push({ of: "both", text: one[i++] ?? "" });
      j++;
    } else if (
      j >= other.length ||
      (i < one.length && at(shared, i + 1, j) >= at(shared, i, j + 1))
    )
      stretches.push({ of: "left", text: one[i++] ?? "" });
    else stretches.push({ of: "right", text: other[j++] ?? "" });
  }
  return stretches;
}

const at = (table: Uint32Array[], row: number, column: number) => table[row]?.[column] ?? 0;

/** How many words the two still share, from each place to their ends. */
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

function joined(stretches: Stretch[]): Stretch[] {
  const result: Stretch[] = [];
  for (const { of, text } of stretches) {
    const last = result.at(-1);
    if (text === "") continue;
    if (last?.of === of) last.text += text;
    else result.push({ of, text });
  }
  return result;
}

/** Long stretches that both have, cut to what stands beside a difference. */
export function aroundDifferences(stretches: Stretch[], around = 40): Stretch[] {
  return stretches.map(({ of, text }, place) => {
    if (of !== "both" || text.length <= 2 * around + 1) return { of, text };
    const before = place === 0 ? "" : text.slice(0, around);
    const after = place === stretches.length - 1 ? "" : text.slice(-around);
    return { of, text: `${before}…${after}` };
  });
}

const NAMES: Record<string, string> = { "\n": "↵\n", "\r": "␍", "\t": "⇥", "\u00a0": "⍽" };

/** Shows what nobody sees: ends of lines, tabs, hard spaces, marks without a width. */
export const makeVisible = (text: string): string =>
  text.replace(
    /[\n\r\t\u00a0]|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) =>
      NAMES[character] ??
      `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );

/** A name and what the two attempts have for it; null where one has none. */
export interface Pair {
  name: string;
  left: string | null;
  right: string | null;
  is_same: boolean;
}

const pair = (name: string, left: string | null, right: string | null): Pair => ({
  name,
  left,
  right,
  is_same: left === right,
});

export interface AttemptComparison {
  /** In the order of the left one, and then what only the right one has. */
  headers: Pair[];
  address: Pair;
  body: Pair;
  /** Status of the answer; null without one. */
  code: Pair;
  answer: Pair;
  error: Pair;
  /** In milliseconds; the right one's less the left one's. */
  duration: { left: number; right: number; more: number };
  /** Seconds from the start of the left to that of the right. */
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
