import * as z from "zod";
import type { ChannelSetups } from "#contract/messages.ts";
import type { SettingKind } from "#contract/names.ts";
import { ApiError } from "../http/errors.ts";
import { ADAPTERS } from "./channels/adapters.ts";
import type { ChannelAdapter } from "./channels/channel.ts";

type Provider = ChannelSetups["providers"][number];
type Setting = Provider["settings"][number];

interface FieldSchema {
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: FieldSchema[];
  description?: string;
  default?: unknown;
}

function settingsOf({ settings, secrets }: ChannelAdapter): Setting[] {
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

/** Every provider with its settings, read from the adapters' own schemas. */
export const PROVIDERS: Provider[] = ADAPTERS.map((adapter) => ({
  provider: adapter.provider,
  channel: adapter.channel,
  settings: settingsOf(adapter),
}));

const providerOf = (name: string) => PROVIDERS.find(({ provider }) => provider === name);

/** The settings without secrets as text, and the names of the secrets that are set. */
export function presentSettings(provider: string, settings: Record<string, unknown>) {
  const shown: Record<string, string> = {};
  const secrets_set: string[] = [];
  for (const { name, kind } of providerOf(provider)?.settings ?? []) {
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
  provider: string,
  given: Record<string, string>,
  kept: Record<string, unknown>,
): Record<string, unknown> {
  const adapter = ADAPTERS.find((each) => each.provider === provider);
  if (!adapter) throw new ApiError(400, { provider: ["This service has no such provider."] });
  const values: Record<string, unknown> = {};
  const known = providerOf(provider)?.settings ?? [];
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
