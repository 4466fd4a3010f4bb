import * as z from "zod";
import type { SettingKind } from "#contract/names.ts";
import type { ProviderSetting } from "#contract/settings.ts";
import { ApiError } from "../http/errors.ts";

/** The parts of an adapter that describe, show and read its settings. */
export interface ConfiguredAdapter {
  readonly settings: z.ZodType<Record<string, unknown>>;
  readonly secrets: readonly string[];
}

interface FieldSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: FieldSchema[];
  description?: string;
  default?: unknown;
}

/** An adapter's settings, read from its own schema. */
export function describeSettings({ settings, secrets }: ConfiguredAdapter): ProviderSetting[] {
  const schema = z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
  const required = new Set(schema.required ?? []);
  return Object.entries((schema.properties ?? {}) as Record<string, FieldSchema>).map(
    ([name, field]) => ({
      name,
      kind: secrets.includes(name) ? "secret" : kindOf(field),
      description: field.description ?? "",
      choices: (field.enum ?? []).map(String),
      standard: field.default === undefined ? null : asText(field.default),
      is_required: required.has(name),
    }),
  );
}

function kindOf({ type, enum: choices }: FieldSchema): SettingKind {
  if (choices) return "choice";
  if (type === "boolean") return "flag";
  if (type === "number" || type === "integer") return "number";
  return type === "string" ? "text" : "json";
}

const asText = (value: unknown) =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

/** The settings without secrets as text, and the names of the secrets that are set. */
export function presentSettings(
  adapter: ConfiguredAdapter,
  settings: Record<string, unknown>,
): { settings: Record<string, string>; secrets_set: string[] } {
  const shown: Record<string, string> = {};
  const secrets_set: string[] = [];
  for (const { name, kind } of describeSettings(adapter)) {
    if (settings[name] === undefined || settings[name] === null) continue;
    if (kind === "secret") secrets_set.push(name);
    else shown[name] = asText(settings[name]);
  }
  return { settings: shown, secrets_set };
}

/**
 * The settings as the provider's adapter takes them.
 * @param kept what is stored for the same provider; its secrets stay where none is given
 * @throws 400 with what is wrong, by field
 */
export function readSettings(
  adapter: ConfiguredAdapter,
  given: Record<string, string>,
  kept: Record<string, unknown>,
): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  const known = describeSettings(adapter);
  for (const { name, kind } of known) {
    const text = given[name]?.trim() ?? "";
    if (text !== "") values[name] = valueOf(kind, text);
    else if (kind === "secret" && kept[name] !== undefined) values[name] = kept[name];
  }
  const problems: Record<string, string[]> = {};
  for (const name of Object.keys(given))
    if (!known.some((setting) => setting.name === name))
      problems[name] = ["This provider has no such setting."];
  const parsed = adapter.settings.safeParse(values);
  for (const { path, message } of parsed.error?.issues ?? [])
    (problems[String(path[0] ?? "settings")] ??= []).push(message);
  if (parsed.success && Object.keys(problems).length === 0) return parsed.data;
  throw new ApiError(
    400,
    Object.fromEntries(
      Object.entries(problems).map(([name, texts]) => [`settings.${name}`, texts]),
    ),
  );
}

function valueOf(kind: string, text: string): unknown {
  if (kind === "number") return Number(text);
  if (kind === "flag") return text === "true";
  if (kind !== "json") return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
