import type { Description } from "../../service/openapi/document.ts";
import type { JsonSchema } from "../../service/openapi/schemas.ts";

/** Schema names that would hide a global name of the language, and the names to use instead. */
const RENAMED: Record<string, string> = { Event: "ServiceEvent" };

export const typeNameOf = (name: string) => RENAMED[name] ?? name;

export const pascalCase = (name: string) =>
  name
    .split(/[^A-Za-z0-9]+/)
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join("");

/** A comment above a declaration, wrapped to about 90 characters; empty without a text. */
export function commentOf(...paragraphs: (string | undefined)[]): string {
  const lines = paragraphs
    .filter((text) => text !== undefined && text !== "")
    .flatMap((text) => wrapped(text ?? ""));
  if (lines.length === 0) return "";
  return lines.length === 1
    ? `/** ${lines[0]} */\n`
    : `/**\n${lines.map((line) => ` * ${line}\n`).join("")} */\n`;
}

function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.replaceAll("*/", "*\\/").split(/\s+/)) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length > 88) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}

const textOf = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Collects interfaces; an object within an object has a name made of both. */
class Interfaces {
  readonly texts = new Map<string, string>();

  typeOf(schema: JsonSchema, name: string): string {
    const reference = textOf(schema["$ref"]);
    if (reference) return typeNameOf(reference.split("/").at(-1) ?? "");
    if (Array.isArray(schema["enum"]))
      return schema["enum"].map((value) => JSON.stringify(value)).join(" | ");
    const choices = schema["anyOf"] as JsonSchema[] | undefined;
    if (choices) return choices.map((choice) => this.typeOf(choice, name)).join(" | ");
    const { type } = schema;
    if (Array.isArray(type))
      return type.map((one) => this.typeOf({ ...schema, type: one }, name)).join(" | ");
    if (type === "array") {
      const item = this.typeOf(schema["items"] as JsonSchema, singular(name));
      return item.includes(" ") ? `(${item})[]` : `${item}[]`;
    }
    if (type === "integer") return "number";
    if (type !== "object") return textOf(type) ?? "unknown";
    if (!schema["properties"]) {
      const values = Object(schema["additionalProperties"]) as JsonSchema;
      return `Record<string, ${this.typeOf(values, name)}>`;
    }
    this.add(name, schema);
    return name;
  }

  add(name: string, schema: JsonSchema, extra = ""): void {
    const required = (schema["required"] ?? []) as string[];
    const properties = Object.entries(schema["properties"] as Record<string, JsonSchema>).map(
      ([property, inner]) => {
        const isOptional = !required.includes(property);
        const type = this.typeOf(inner, `${name}${pascalCase(property)}`);
        const comment = commentOf(textOf(inner["description"]), defaultOf(inner));
        return `${comment}${property}${isOptional ? "?" : ""}: ${type}${isOptional ? " | undefined" : ""};`;
      },
    );
    const text = `${extra}export interface ${name} {\n${properties.join("\n")}\n}`;
    const other = this.texts.get(name);
    if (other !== undefined && other !== text) throw new Error(`Two types are named ${name}.`);
    this.texts.set(name, text);
  }
}

const singular = (name: string) => name.replace(/(?<!s)s$/, "");

function defaultOf(schema: JsonSchema): string | undefined {
  const value = schema["default"];
  const isPlain = ["string", "number", "boolean"].includes(typeof value);
  return isPlain && value !== "" ? `Default: ${String(value)}.` : undefined;
}

export interface QueryType {
  name: string;
  summary: string;
  parameters: { name: string; description: string; required: boolean; schema: JsonSchema }[];
}

/** The source of the types: of bodies, of queries and of webhook events. */
export function schemasSource(
  { components, webhooks }: Description,
  names: readonly string[],
  queries: readonly QueryType[],
): string {
  const interfaces = new Interfaces();
  const aliases: string[] = [];
  const events = Object.entries(webhooks).map(([event, { post }]) => {
    const { $ref } = post.requestBody.content["application/json"].schema;
    return { event, about: post.description, body: $ref.split("/").at(-1) ?? "" };
  });
  const all = [...names, ...events.map(({ body }) => body)];
  for (const name of reachable(components.schemas, all)) {
    const schema = components.schemas[name] ?? {};
    if (schema["properties"]) interfaces.add(typeNameOf(name), schema);
    else
      aliases.push(
        `export type ${typeNameOf(name)} = ${interfaces.typeOf(schema, typeNameOf(name))};`,
      );
  }
  for (const { name, summary, parameters } of queries) {
    const properties = parameters.map((one) => [
      one.name,
      { ...one.schema, description: `${one.description}.` },
    ]);
    const required = parameters.flatMap((one) => (one.required ? [one.name] : []));
    interfaces.add(
      name,
      { type: "object", properties: Object.fromEntries(properties) as JsonSchema, required },
      commentOf(`The query of “${summary}”.`),
    );
  }
  const eventTypes = events.map(({ event, about, body }) => {
    const kind = JSON.stringify(event);
    return `${commentOf(about)}export type ${eventName(event)} = ${typeNameOf(body)} & { event: ${kind}; type: ${kind} };`;
  });
  return [
    ...interfaces.texts.values(),
    ...aliases,
    ...eventTypes,
    `/** The event of a delivery, told apart by \`event\`. */\nexport type WebhookEvent = ${events.map(({ event }) => eventName(event)).join(" | ")};`,
  ].join("\n\n");
}

const eventName = (event: string) => `${pascalCase(event)}Event`;

function reachable(
  schemas: Record<string, JsonSchema>,
  names: readonly string[],
): Iterable<string> {
  const found = new Set<string>();
  const open = [...names];
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = JSON.stringify(schemas[name]);
    for (const [, other = ""] of text.matchAll(/#\/components\/schemas\/(\w+)/g))
      open.push(other);
  }
  return found;
}
