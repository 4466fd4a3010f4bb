import { readFileSync } from "node:fs";

/** A product file: its zone (the top folder), the noun below it, and its name. */
interface Place {
  zone: string;
  noun: string;
  name: string;
  path: string;
}

const ZONES = new Set(["app", "components", "lib", "contract", "service"]);

function placeOf(path: string): Place {
  const parts = path.split("/");
  const zone = parts.length > 1 ? (parts[0] ?? "") : "";
  const noun = parts.length > 2 ? (parts[1] ?? "") : "";
  const name = (parts.at(-1) ?? "").replace(/\.tsx?$/, "");
  return { zone, noun, name, path };
}

type Rule = (from: Place, to: Place) => boolean;

const zone =
  (...names: string[]): Rule =>
  (_from, to) =>
    names.includes(to.zone);
const sameNoun: Rule = (from, to) => from.zone === to.zone && from.noun === to.noun;
const nounOf =
  (inZone: string, ...nouns: string[]): Rule =>
  (_from, to) =>
    to.zone === inZone && nouns.includes(to.noun);
const topFileOf =
  (inZone: string): Rule =>
  (_from, to) =>
    to.zone === inZone && to.noun === "";

const ROOT = new URL("../..", import.meta.url);

/**
 * Whether components may import the file: it runs in a browser, or it has actions, which become
 * references.
 */
const isSafeInBrowser: Rule = (_from, to) => {
  if (to.zone !== "lib" || to.name === "data" || to.name === "store") return false;
  try {
    return !readFileSync(new URL(to.path, ROOT), "utf8").startsWith('import "server-only";');
  } catch {
    return false;
  }
};

/** The imports between product files that are allowed, one list per zone; all others are forbidden. */
const TABLE: Record<string, Rule[]> = {
  app: [zone("components", "lib", "contract"), zone("app")],
  components: [
    sameNoun,
    nounOf("components", "ui", "context", "list", "shell", "values", "forms"),
    // The overview is made of other folders' parts.
    (from, to) =>
      from.noun === "overview" && nounOf("components", "guide", "subscriptions")(from, to),
    // A record in test mode has the form that simulates its payment.
    (from, to) => from.noun === "subscriptions" && nounOf("components", "sandbox")(from, to),
    isSafeInBrowser,
    zone("contract"),
  ],
  lib: [
    sameNoun,
    nounOf(
      "lib",
      "auth",
      "billing",
      "crypto",
      "db",
      "files",
      "format",
      "i18n",
      "money",
      "query",
      "search-index",
      "tags",
      "text",
      "trace",
    ),
    // The morning list counts the same as the pages.
    (from, to) =>
      from.noun === "notifications" &&
      nounOf("lib", "collection", "messages", "webhooks")(from, to),
    // Planning reminders uses the rules of collection and the texts of messages.
    (from, to) =>
      from.noun === "reminders" && nounOf("lib", "collection", "messages")(from, to),
    // An import creates subscriptions to products, step by step like a bulk change.
    (from, to) =>
      from.noun === "imports" &&
      nounOf("lib", "payments", "products", "subscriptions")(from, to),
    // The collection can be limited to the buyers of one import.
    (from, to) => from.noun === "collection" && nounOf("lib", "imports")(from, to),
    topFileOf("lib"),
    zone("contract"),
  ],
  contract: [zone("contract")],
  service: [zone("service", "contract")],
};

/** Why `from` may not import `to` (both from the project's root), or null when it may. */
export function forbiddenImport(from: string, to: string): string | null {
  const source = placeOf(from);
  const target = placeOf(to);
  const isTest = /\.test\.tsx?$/.test(from) || from.startsWith("service/testing/");
  if (isTest && target.zone === "scripts") return null;
  const rules = TABLE[source.zone];
  // Commands, journeys and benchmarks may import everything; all may import what is neither product
  // code nor in scripts/.
  if (!rules || (!ZONES.has(target.zone) && target.zone !== "scripts")) return null;
  if (rules.some((rule) => rule(source, target))) return null;
  return `${source.zone}/${source.noun} may not import ${to}: docs/decisions/0004-import-boundaries.md has the table.`;
}
