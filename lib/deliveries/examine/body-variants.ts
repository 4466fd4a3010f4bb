/** What may have become of a body between its signing and now. */
export type Change =
  | "body_spaces"
  | "body_key_order"
  | "body_unicode"
  | "body_slashes"
  | "body_newline"
  | "body_line_ends"
  | "body_mark"
  | "body_quoted"
  | "body_base64"
  | "body_charset"
  | "body_html";

export interface Spelling {
  body: string;
  /** What parts it from the body as it is. */
  changes: Change[];
}

/** Written anew in every style, a long body would hold the page up: then fewer are tried. */
const LONG = 20_000;
const TOO_LONG = 100_000;

/** The same contents as the sender may have spelled them, the fewest changes first. */
export function spellingsOf(body: string): Spelling[] {
  const texts: Spelling[] = [{ body, changes: [] }, ...textChanges(body)];
  const found = new Map<string, Spelling>();
  const keep = (spelling: Spelling) => {
    const known = found.get(spelling.body);
    if (!known || known.changes.length > spelling.changes.length)
      found.set(spelling.body, spelling);
  };
  for (const text of texts) {
    keep(text);
    if (body.length > (text.changes.length > 0 ? LONG : TOO_LONG)) continue;
    for (const json of jsonSpellings(text.body))
      keep({ body: json.body, changes: [...text.changes, ...json.changes] });
  }
  for (const { body: spelled, changes } of found.values())
    if (changes.length > 0 && changes.length < 3 && !changes.includes("body_newline"))
      keep({ body: `${spelled.trimEnd()}\n`, changes: [...changes, "body_newline"] });
  return [...found.values()].toSorted(
    (one, other) => one.changes.length - other.changes.length,
  );
}

/** What JSON takes for nothing, before and after the rest. */
function edgesOf(text: string): { before: string; body: string; after: string } {
  const isSpace = (at: number) => " \t\r\n".includes(text[at] ?? "x");
  let [from, to] = [0, text.length];
  while (from < to && isSpace(from)) from += 1;
  while (from < to && isSpace(to - 1)) to -= 1;
  return { before: text.slice(0, from), body: text.slice(from, to), after: text.slice(to) };
}
const stripped = (body: string) => edgesOf(body).body;

/** @returns null for a change that this body cannot have gone through */
type Undo = (body: string) => (string | null)[];

const UNDO: [Change, Undo][] = [
  [
    "body_newline",
    (body) => [body.replace(/\r?\n$/, ""), stripped(body), `${body}\n`, `${body}\r\n`],
  ],
  ["body_line_ends", (body) => [body.replaceAll("\r\n", "\n"), body.replace(/\r?\n/g, "\r\n")]],
  ["body_mark", (body) => [body.replace(/^\uFEFF/, ""), `\uFEFF${body}`]],
  ["body_quoted", (body) => [unquoted(body), /^'[^]*'$/.test(body) ? body.slice(1, -1) : null]],
  ["body_base64", (body) => [fromBase64(body)]],
  ["body_charset", (body) => [asUtf8(body)]],
  ["body_html", (body) => [withoutEntities(body)]],
];

const textChanges = (body: string): Spelling[] =>
  UNDO.flatMap(([change, undo]) =>
    undo(body).flatMap((text) =>
      text === null || text === body ? [] : [{ body: text, changes: [change] }],
    ),
  );

function unquoted(body: string): string | null {
  if (!/^\s*"/.test(body)) return null;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function fromBase64(body: string): string | null {
  const text = body.trim();
  if (!/^[A-Za-z0-9+/\s]{8,}={0,2}$/.test(text)) return null;
  try {
    return utf8.decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}

/** UTF-8 that was read as Latin-1: "à¤¸" instead of "स". */
function asUtf8(body: string): string | null {
  // oxlint-disable-next-line no-control-regex -- every byte, as Latin-1 has it
  if (!/[\u0080-\u00ff]/.test(body) || /[^\u0000-\u00ff]/.test(body)) return null;
  try {
    return utf8.decode(Uint8Array.from(body, (character) => character.charCodeAt(0)));
  } catch {
    return null;
  }
}

const ENTITIES: Record<string, string> = {
  "&quot;": '"',
  "&#34;": '"',
  "&#39;": "'",
  "&lt;": "<",
  "&gt;": ">",
  "&amp;": "&",
};
const withoutEntities = (body: string): string =>
  body.replace(/&(?:quot|lt|gt|amp|#34|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** A value of JSON that keeps each scalar as it was written: 100.00 stays 100.00. */
type Node = { scalar: string } | { list: Node[] } | { keys: [string, Node][] };

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y;

function parseNode(text: string): Node | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  TOKEN.lastIndex = 0;
  const tokens: string[] = [];
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text))
    tokens.push(match[1] ?? "");
  let at = 0;
  const read = (): Node => {
    const token = tokens[at++] ?? "";
    if (token === "[") return { list: until("]", read) };
    if (token !== "{") return { scalar: token };
    const pair = (): [string, Node] => {
      const key = tokens[at++] ?? "";
      at++;
      return [key, read()];
    };
    return { keys: until("}", pair) };
  };
  function until<Item>(end: string, one: () => Item): Item[] {
    const items: Item[] = [];
    while (at < tokens.length && tokens[at] !== end) {
      items.push(one());
      if (tokens[at] === ",") at++;
    }
    at++;
    return items;
  }
  return read();
}

interface Style {
  comma: string;
  colon: string;
  indent: string | null;
}
/** As the languages write it by default; the third is how PostgreSQL builds an object. */
const STYLES: Style[] = [
  { comma: ",", colon: ":", indent: null },
  { comma: ", ", colon: ": ", indent: null },
  { comma: ", ", colon: " : ", indent: null },
  { comma: ",", colon: ": ", indent: "  " },
  { comma: ",", colon: ": ", indent: "    " },
  { comma: ",", colon: ": ", indent: "\t" },
];

/** As the service writes a delivery's keys. */
const KEYS = [
  "id",
  "event",
  "type",
  "timestamp",
  "subscription_id",
  "old_status",
  "new_status",
  "reason",
  "data",
  "product_id",
  "pbp_id",
  "current_period_start",
  "current_period_end",
  "next_billing_cycle",
];
const placeOf = (key: string) => {
  const place = KEYS.indexOf(JSON.parse(key) as string);
  return place < 0 ? KEYS.length : place;
};

type Order = (keys: [string, Node][]) => [string, Node][];
const ORDERS: Order[] = [
  (keys) => keys,
  (keys) => keys.toSorted(([one], [other]) => placeOf(one) - placeOf(other)),
  (keys) => keys.toSorted(([one], [other]) => (one < other ? -1 : 1)),
];

type Write = (raw: string) => string;
const value = (raw: string) => JSON.parse(raw) as string;
const escaped = (raw: string, write: (unit: string) => string) =>
  JSON.stringify(value(raw)).replace(/[\u007f-\uffff]/g, (unit) => `\\u${write(unit)}`);
const hex = (unit: string) => unit.charCodeAt(0).toString(16).padStart(4, "0");
const LETTERS: Write[] = [
  (raw) => raw,
  (raw) => JSON.stringify(value(raw)),
  (raw) => escaped(raw, hex),
  (raw) => escaped(raw, (unit) => hex(unit).toUpperCase()),
];
const SLASHES: Write[] = [
  (raw) => raw,
  (raw) => raw.replaceAll("\\/", "/").replaceAll("/", "\\/"),
  (raw) => raw.replaceAll("\\/", "/"),
];

function write(node: Node, style: Style, order: Order, text: Write, depth = 0): string {
  if ("scalar" in node) return node.scalar.startsWith('"') ? text(node.scalar) : node.scalar;
  const items =
    "list" in node
      ? node.list.map((item) => write(item, style, order, text, depth + 1))
      : order(node.keys).map(
          ([key, item]) => text(key) + style.colon + write(item, style, order, text, depth + 1),
        );
  const [open, close] = "list" in node ? "[]" : "{}";
  if (items.length === 0 || style.indent === null)
    return open + items.join(style.comma) + close;
  const line = (levels: number) => `\n${style.indent?.repeat(levels)}`;
  return (
    open + line(depth + 1) + items.join(style.comma + line(depth + 1)) + line(depth) + close
  );
}

/** In each style, order of keys and way of writing letters and slashes. */
function jsonSpellings(whole: string): Spelling[] {
  const { before, body, after } = edgesOf(whole);
  const node = parseNode(body);
  if (!node || "scalar" in node) return [];
  const asIs = ORDERS[0] ?? ((keys: [string, Node][]) => keys);
  const own = STYLES.find((style) => write(node, style, asIs, (raw) => raw) === body);
  return STYLES.flatMap((style) =>
    ORDERS.flatMap((order, ordered) =>
      LETTERS.flatMap((letters, lettered) =>
        SLASHES.map((slashes, slashed): Spelling => {
          const changes: Change[] = [];
          if (style !== own) changes.push("body_spaces");
          if (ordered > 0) changes.push("body_key_order");
          if (lettered > 0) changes.push("body_unicode");
          if (slashed > 0) changes.push("body_slashes");
          const text = write(node, style, order, (raw) => slashes(letters(raw)));
          return { body: before + text + after, changes };
        }),
      ),
    ),
  );
}

/** Spelled as the embedded service spells a delivery: most likely nothing touched it. */
export function isOwnSpelling(body: string): boolean {
  const node = parseNode(body);
  const [, , own] = STYLES;
  const [asItIs] = ORDERS;
  if (!node || !own || !asItIs || !("keys" in node)) return false;
  return write(node, own, asItIs, (raw) => raw) === body;
}
