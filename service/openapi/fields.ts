import type { JsonSchema } from "./schemas.ts";

export interface Field {
  path: string;
  type: string;
  reference: string | null;
  limits: string;
  meaning: string;
}

/** A schema's fields as a flat list: `client.billing.email`, `plan[].plan_name`. */
export function fieldsOf(schema: JsonSchema, path = "", isOptional = false): Field[] {
  const { inner, isNullable } = unwrap(schema);
  const properties = inner["properties"] as Record<string, JsonSchema> | undefined;
  const items = inner["items"] as JsonSchema | undefined;
  const meaning = typeof schema["description"] === "string" ? schema["description"] : "";
  const own = path === "" ? [] : [describe(inner, path, { isNullable, isOptional, meaning })];
  if (properties) {
    const required = (inner["required"] as string[] | undefined) ?? [];
    const below = Object.entries(properties).flatMap(([name, property]) =>
      fieldsOf(property, path === "" ? name : `${path}.${name}`, !required.includes(name)),
    );
    return [...own, ...below];
  }
  if (items && !items["$ref"]) return [...own, ...fieldsOf(items, `${path}[]`).slice(1)];
  return own.length > 0
    ? own
    : [describe(inner, "(the whole)", { isNullable, isOptional, meaning })];
}

function unwrap(schema: JsonSchema): { inner: JsonSchema; isNullable: boolean } {
  const choices = schema["anyOf"] as JsonSchema[] | undefined;
  const [first, ...rest] = choices?.filter((choice) => choice["type"] !== "null") ?? [];
  if (!first || rest.length > 0) return { inner: schema, isNullable: false };
  return { inner: first, isNullable: choices?.length === 2 };
}

function describe(
  schema: JsonSchema,
  path: string,
  {
    isNullable,
    isOptional,
    meaning,
  }: { isNullable: boolean; isOptional: boolean; meaning: string },
): Field {
  const items = schema["items"] as JsonSchema | undefined;
  const reference = (schema["$ref"] ?? items?.["$ref"]) as string | undefined;
  const words = [
    items ? "list of" : reference ? "" : typeWords(schema),
    items && !reference ? String(items["type"]) : "",
    isNullable ? "or null" : "",
  ];
  return {
    path,
    type: words.filter(Boolean).join(" "),
    reference: reference ?? null,
    meaning,
    limits: [isOptional ? "optional" : "", ...limitsOf(schema)].filter(Boolean).join(", "),
  };
}

function typeWords({ type = "any of several" }: JsonSchema): string {
  return (Array.isArray(type) ? (type as string[]) : [type as string]).join(" or ");
}

function limitsOf(schema: JsonSchema): string[] {
  const values = schema["enum"] as string[] | undefined;
  return [
    values ? values.join(" | ") : "",
    typeof schema["format"] === "string" ? schema["format"] : "",
    typeof schema["maxLength"] === "number" ? `at most ${schema["maxLength"]} characters` : "",
  ];
}
