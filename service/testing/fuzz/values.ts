import type { JsonSchema } from "../../openapi/schemas.ts";
import type { Random } from "../../seed/random.ts";

/** Texts that have broken programs before. */
export const HOSTILE_TEXTS = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "\udfff\ud800",
  "\ufeff",
  "\u202egnp.exe",
  "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢L̠ͨͧͩ͘G̴̻͈͍͔̹̑͗̎̅͛́Ǫ̵̹̻̝̳͂̌̌͘",
  "👩‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "क्षत्रिय",
  "'; drop table subscription; --",
  "${7*7}{{7*7}}",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "http://user:password@host/",
  "http://[::1",
  "file:///etc/passwd",
  "../../../../etc/passwd",
  "%00%ff%zz",
  "__proto__",
  "constructor",
  "NaN",
  "-0",
  "1e999",
  "99999999999999999999",
  "0x10",
  "null",
  "2026-02-30",
  "0000-00-00",
  "9999-12-31",
  "-271821-04-20",
  "2026-01-01T00:00:00+99:99",
  "१२३४५६७८९",
  "\r\nset-cookie: a=b",
  "x".repeat(501),
  "x".repeat(70_000),
];

const HOSTILE_VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  [],
  {},
  [[[[]]]],
  { toString: "x", valueOf: 1, length: -1, constructor: { prototype: {} } },
  ...HOSTILE_TEXTS,
];

/** Values that exist in the fuzzed database, by the name of the field that would hold them. */
export interface FuzzedRecords {
  pbp_id: string[];
  subscription_id: string[];
  customer_id: string[];
  webhook_id: string[];
  state_id: string[];
  key_id: string[];
  product_id: string[];
  plan_id: string[];
  /** The key in the addresses of a payment account; then ids of charges, payments and refunds. */
  account_key: string[];
  charge_id: string[];
  payment_id: string[];
  recorded_id: string[];
  refund_id: string[];
}

const FIELD_VALUES: Record<string, (random: Random, known: FuzzedRecords) => string> = {
  phone: (random) => `98${random.integer(10_000_000, 99_999_999)}`,
  return_url: () => "https://shop.example/thanks?order=7",
  endpoint_url: () => "https://shop.example/hook",
  pbp_id: (random, known) => random.pick(known.pbp_id),
  subscription_id: (random, known) => random.pick(known.subscription_id),
  next_billing_cycle: (random) =>
    `20${random.integer(25, 40)}-0${random.integer(1, 9)}-${random.integer(10, 28)}`,
  email: () => "asmita@example.com",
  billing_email: () => "accounts@example.com",
  plan_id: (random, known) => random.pick(known.plan_id),
  price: (random) => `${random.integer(1, 5_000)}.50`,
  discount_amount: (random) => `${random.integer(1, 50)}.00`,
  vat_percentage: (random) => String(random.integer(0, 25)),
  currency: () => "NPR",
  starts_at: () => "2026-01-01",
  valid_until: () => "2026-02-01",
  expires_at: () => "2036-01-01T00:00:00Z",
  time_zone: () => "Asia/Kathmandu",
  billing_pan_vat: (random) => String(random.integer(100_000_000, 999_999_999)),
};

/** A value that the schema allows; the name of a field helps where a pattern says nothing. */
export function validValue(
  schema: JsonSchema,
  name: string,
  random: Random,
  known: FuzzedRecords,
): unknown {
  const choices = schema["anyOf"] as JsonSchema[] | undefined;
  if (choices) return validValue(random.pick(choices), name, random, known);
  const values = schema["enum"] as unknown[] | undefined;
  if (values) return random.pick(values);
  const properties = schema["properties"] as Record<string, JsonSchema> | undefined;
  if (properties) {
    const required = new Set(schema["required"] as string[] | undefined);
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([key]) => required.has(key) || random.chance(0.5))
        .map(([key, inner]) => [key, validValue(inner, key, random, known)]),
    );
  }
  switch (schema["type"]) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "array":
      return Array.from({ length: random.integer(1, 2) }, () =>
        validValue(schema["items"] as JsonSchema, name, random, known),
      );
    case "integer":
    case "number":
      return random.integer(1, 20);
    default:
      return FIELD_VALUES[name]?.(random, known) ?? `Text ${random.integer(0, 999)}`;
  }
}

/** The same value with one change, mostly an invalid one. */
export function mutateValue(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.1))
    return random.pick(HOSTILE_VALUES);
  const keys = Object.keys(value);
  const key = keys.length > 0 ? random.pick(keys) : "detail";
  const inner = (value as Record<string, unknown>)[key];
  if (random.chance(0.2)) return { ...value, [key]: undefined };
  if (random.chance(0.1)) return { ...value, [random.pick(HOSTILE_TEXTS)]: inner };
  return { ...value, [key]: mutateValue(inner, random) };
}
