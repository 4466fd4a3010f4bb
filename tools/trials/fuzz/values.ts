import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "#scripts/process/settings.ts";
import type { Random } from "../../../service/seed/random.ts";
import { mutateValue, HOSTILE_TEXTS } from "../../../service/testing/fuzz/values.ts";

/** A mark in generated texts and emails, by which a leak is found. */
export const LEAK_MARK = "fuzz-mark-7d1f";

/** Values with a meaning in React's encoding of arguments, and lookalikes. */
const REFERENCES = [
  "$0",
  "$1",
  "$@0",
  "$F1",
  "$K1",
  "$Q1",
  "$W1",
  "$B1",
  "$i1",
  "$T",
  "$S",
  "$undefined",
  "$NaN",
  "$-0",
  "$D2026-13-45",
  "$n99999999999999999999",
  "$nx",
  "$$",
  "$1:__proto__:then",
  "$0:constructor:constructor",
];

const deep = (depth: number) =>
  JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as unknown;

const ODD_VALUES: unknown[] = [
  ...REFERENCES,
  LEAK_MARK,
  deep(500),
  Object.fromEntries([["__proto__", { is_owner: true }]]),
  Object.fromEntries([["constructor", { prototype: { is_owner: true } }]]),
  Array.from({ length: 3_000 }, (_, at) => at),
  -1,
  1e9,
  "-1",
  "1000000000",
  "101",
];

const FIELD = /\b([a-z]\w*): (?:z\.|[A-Z]\w*[,.(])/g;

const fieldsByFolder = new Map<string, string[]>();

/** The field names of the schemas in the folder of an action. */
export function fieldsOf(file: string): string[] {
  const folder = dirname(file);
  const known = fieldsByFolder.get(folder);
  if (known) return known;
  const text = globSync(`${folder}/**/*.ts`, { cwd: ROOT })
    .map((name) => readFileSync(join(ROOT, name), "utf8"))
    .join("\n");
  const found = new Set(Array.from(text.matchAll(FIELD), ([, name = ""]) => name));
  const fields = [...found, "id", "subscription_id", "name"];
  fieldsByFolder.set(folder, fields);
  return fields;
}

/** A plausible value for a field of that name. */
function likely(name: string, random: Random, ids: string[]): unknown {
  if (/email/.test(name)) return `${LEAK_MARK}@example.com`;
  if (/phone/.test(name)) return `98${random.integer(10_000_000, 99_999_999)}`;
  if (/url|link/.test(name)) return "https://shop.example/";
  if (/(^|_)ids?$/.test(name)) return random.pick([...ids, 1, "1"]);
  if (/^is_|^has_/.test(name)) return random.chance(0.5);
  if (/date|cycle|from|to|since/.test(name))
    return `20${random.integer(24, 40)}-0${random.integer(1, 9)}-15`;
  if (/zone/.test(name)) return "Asia/Kathmandu";
  if (/role/.test(name)) return random.pick(["owner", "admin", "support", "viewer"]);
  if (/page|limit|count|amount|days|order/.test(name)) return random.integer(-1, 120);
  if (/s$|items|list/.test(name)) return [random.pick(ids)];
  return `Text ${LEAK_MARK}`;
}

/** An input for an action, with random errors. */
export function generateInput(fields: string[], random: Random, ids: string[]): unknown {
  if (random.chance(0.15)) return random.pick<unknown>([...HOSTILE_TEXTS, ...ODD_VALUES]);
  const few = random.chance(0.5);
  const input = Object.fromEntries(
    fields
      .filter(() => !few || random.chance(0.4))
      .map((name) => [name, likely(name, random, ids)]),
  );
  if (random.chance(0.2)) return input;
  if (random.chance(0.5)) return mutateValue(input, random);
  const name = random.pick(Object.keys(input).length > 0 ? Object.keys(input) : ["id"]);
  return { ...input, [name]: random.pick(ODD_VALUES) };
}
