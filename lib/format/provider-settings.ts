import type { ProviderSetting } from "#contract/settings.ts";

const ABBREVIATIONS = new Set(["url", "sms", "http", "id", "sid", "api"]);

/** A setting's name as a label: "baseUrl" is "Base URL". */
export function labelOfSetting(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .map((word) => {
      const small = word.toLowerCase();
      return ABBREVIATIONS.has(small) ? small.toUpperCase() : small;
    })
    .join(" ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Optional settings that most sellers need, whatever the provider. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  "port",
  "security",
  "user",
  "password",
  "from",
  "fromName",
  "messagingServiceSid",
  "method",
  "body",
  "auth",
  "authName",
  "secret",
  "toField",
  "textField",
  "senderField",
  "sender",
]);

/** Whether a setting is shown before the folded ones. */
export const isEssential = ({ name, is_required }: ProviderSetting): boolean =>
  is_required || ESSENTIAL.has(name);

/** The form in which a JSON setting is typed, derived from its default. */
function shapeOf({ kind, standard }: ProviderSetting): "list" | "numbers" | "pairs" | "text" {
  if (kind !== "json" || standard === null) return "text";
  const value = parsed(standard);
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item === "number")
      ? "numbers"
      : "list";
  return typeof value === "object" && value !== null ? "pairs" : "text";
}

/** The format that a setting's field expects; null for plain text. */
export function formatOf(setting: ProviderSetting): "list" | "pairs" | null {
  const shape = shapeOf(setting);
  return shape === "text" ? null : shape === "pairs" ? "pairs" : "list";
}

/** The value as it is typed: a list with commas, pairs as lines of "name = value". */
export function typedSetting(setting: ProviderSetting, value: string): string {
  const shape = shapeOf(setting);
  const json = parsed(value);
  if (shape === "pairs" && typeof json === "object" && json !== null)
    return Object.entries(json)
      .map(([name, text]) => `${name} = ${String(text)}`)
      .join("\n");
  return shape !== "text" && Array.isArray(json) ? json.map(String).join(", ") : value;
}

/** Turns the typed text into the service's format; empty stays empty. */
export function readSetting(setting: ProviderSetting, typed: string): string {
  const shape = shapeOf(setting);
  if (shape === "text" || typed.trim() === "") return typed.trim();
  if (shape === "pairs") {
    const pairs = typed
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => {
        const [name = "", ...rest] = line.split("=");
        return [name.trim(), rest.join("=").trim()];
      });
    return JSON.stringify(Object.fromEntries(pairs));
  }
  const items = typed
    .split(/[,\n]/)
    .map((item) => item.trim())
    .filter((item) => item !== "");
  return JSON.stringify(
    shape === "numbers"
      ? items.map((item) => (/^\d+$/.test(item) ? Number(item) : item))
      : items,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
