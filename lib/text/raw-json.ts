/** JSON as it was written, so that no number is rounded; texts keep their quotes and escapes. */
export type RawJson =
  | { kind: "object"; fields: { name: string; value: RawJson }[] }
  | { kind: "list"; items: RawJson[] }
  | { kind: "value"; text: string };

const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s,:{}[\]"]+|[{}[\]]/g;
/** JSON that is nested deeper is no record. */
const DEEPEST = 100;

/** @throws SyntaxError if the text is not JSON, or is nested too deeply */
export function readRawJson(text: string): RawJson {
  JSON.parse(text);
  const tokens = text.match(TOKEN) ?? [];
  let at = 0;
  function read(depth: number): RawJson {
    if (depth > DEEPEST) throw new SyntaxError("the JSON is nested too deeply");
    const token = tokens[at++] ?? "null";
    if (token === "[") {
      const items: RawJson[] = [];
      while (tokens[at] !== "]") items.push(read(depth + 1));
      at += 1;
      return { kind: "list", items };
    }
    if (token !== "{") return { kind: "value", text: token };
    const fields: { name: string; value: RawJson }[] = [];
    while (tokens[at] !== "}")
      fields.push({ name: tokens[at++] ?? "", value: read(depth + 1) });
    at += 1;
    return { kind: "object", fields };
  }
  return read(0);
}

/** The value of an object's field; undefined if there is none. */
export const rawField = (json: RawJson, name: string): RawJson | undefined =>
  json.kind === "object"
    ? json.fields.findLast((field) => field.name === JSON.stringify(name))?.value
    : undefined;

/** A text's content, or another single value as written, as in "null"; null for objects and lists. */
export function rawText(json: RawJson | undefined): string | null {
  if (json?.kind !== "value") return null;
  return json.text.startsWith('"') ? String(JSON.parse(json.text)) : json.text;
}

const SECRET_NAME =
  /secret|password|api_?key|private_?key|authori[sz]ation|credential|token"$/i;
const SECRET_VALUE = /\b(?:db[ka]|sk|rk)_(?:test|live)_[\w-]+|\bwhsec_[\w+/=-]+/g;

/** Indented, one value a line. Values of keys and secrets are replaced by an ellipsis. */
export function printRawJson(json: RawJson, indent = ""): string {
  if (json.kind === "value") return json.text.replace(SECRET_VALUE, "…");
  const inner = `${indent}  `;
  const [open, close, lines] =
    json.kind === "list"
      ? (["[", "]", json.items.map((item) => printRawJson(item, inner))] as const)
      : ([
          "{",
          "}",
          json.fields.map(({ name, value }) => `${name}: ${printField(name, value, inner)}`),
        ] as const);
  return lines.length === 0
    ? open + close
    : `${open}\n${lines.map((line) => inner + line).join(",\n")}\n${indent}${close}`;
}

const printField = (name: string, value: RawJson, indent: string): string =>
  SECRET_NAME.test(name) && rawText(value) !== "null" ? '"…"' : printRawJson(value, indent);
