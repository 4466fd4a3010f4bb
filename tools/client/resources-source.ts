import type { Content, Operation, Parameter } from "../../service/openapi/operation.ts";
import type { JsonSchema } from "../../service/openapi/schemas.ts";
import { commentOf, pascalCase, typeNameOf, type QueryType } from "./schemas-source.ts";

const API = /^\/(?:api\/v1|(account)\/v1|(sandbox))\/(.*)$/;

const ABOUT: Record<string, string> = {
  AccountApi: "The account API: keys, catalogue, settings, deliveries and payments.",
  SandboxApi: "Tools of the sandbox host; a live host has none of them.",
};

/** The headers of answers that show a secret once, each with the client's property for the secret. */
const ISSUED: Record<string, { property: string; what: string }> = {
  "x-webhook-secret": {
    property: "secret",
    what: "`secret` is shown this once; it is null when a repeated answer leaves it out.",
  },
  "x-issued-key": {
    property: "key",
    what: "`key` is shown this once; it is null when a repeated answer leaves it out.",
  },
};

/** A class of the client: its operations, and the classes below it by property. */
interface Group {
  /** The name of the group, such as AccountKeys; empty for the whole client. */
  name: string;
  methods: string[];
  below: Map<string, Group>;
}

interface Resources {
  source: string;
  /** The component schemas that bodies and answers name. */
  schemas: string[];
  queries: QueryType[];
}

/** The operations of an API key, an account token or anybody, as classes with a method for each. */
export function resourcesSource(
  operations: readonly Operation[],
  components: Record<string, JsonSchema>,
): Resources {
  const opened = operations.filter(
    ({ path, credentials, isPublic }) =>
      API.test(path) &&
      (isPublic || credentials.some((name) => /^(key|account_token)$/.test(name))),
  );
  const root: Group = { name: "", methods: [], below: new Map() };
  const schemas = new Set<string>();
  const types = new Set<string>();
  const queries: QueryType[] = [];
  for (const operation of opened) {
    const { path, method } = placeOf(operation, opened);
    let group = root;
    for (const name of path) {
      const below = group.below.get(name) ?? {
        name: `${group.name}${pascalCase(name)}`,
        methods: [],
        below: new Map<string, Group>(),
      };
      group.below.set(name, below);
      group = below;
    }
    const written = methodSource(operation, method, group.name, components);
    group.methods.push(written.text);
    for (const name of written.schemas) schemas.add(name);
    for (const name of written.types) types.add(name);
    if (written.query) queries.push(written.query);
  }
  const source = [
    `import type { Pages } from "../pages.ts";
import { pathPart, type RequestOptions, type Transport, type WriteOptions } from "../transport.ts";
import type { ${[...types].toSorted().join(", ")} } from "./schemas.ts";`,
    ...classesOf(root),
  ].join("\n\n");
  return { source, schemas: [...schemas], queries };
}

const camelCase = (name: string) =>
  name.replace(/[-_]([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/**
 * The place of an operation in the client: `POST /account/v1/keys/{id}/roll/` is
 * `account.keys.roll`. The last word is a group if the operation is of a record or a list, if it is
 * not the only one of its path, or if records are below it (for a single word that is read, anything);
 * else it is the method.
 */
function placeOf(
  { path, method, responses }: Operation,
  all: readonly Operation[],
): { path: string[]; method: string } {
  const [, account, sandbox, rest = ""] = API.exec(path) ?? [];
  const outer = account ?? sandbox;
  const words = rest.split("/").filter((word) => word !== "" && !word.startsWith("{"));
  const last = words.at(-1);
  const groups = (outer === undefined ? [] : [outer]).concat(words.map(camelCase));
  if (last === undefined) return { path: groups, method: "describe" };
  const isRecord = path.endsWith("}/");
  const isGroup =
    isRecord ||
    isList(responses) ||
    all.filter((one) => one.path === path).length > 1 ||
    all.some((one) => one.path.startsWith(`${path}{`)) ||
    all.some(
      (one) =>
        words.length === 1 &&
        method === "get" &&
        one.path.startsWith(path) &&
        one.path !== path,
    );
  if (!isGroup) return { path: groups.slice(0, -1), method: camelCase(last) };
  const verb = {
    get: isRecord || !hasRows(responses) ? "get" : "list",
    post: "create",
    patch: "update",
  };
  return { path: groups, method: verb[method] };
}

/** The schema that a `$ref` names; undefined for a body of another kind. */
function schemaOf(content: Content | undefined): string | undefined {
  const reference = Object.values(content ?? {})[0]?.schema["$ref"];
  return typeof reference === "string" ? reference.split("/").at(-1) : undefined;
}

const answerOf = (responses: Operation["responses"]) => {
  const found = Object.entries(responses).find(([status]) => Number(status) < 300)?.[1];
  return { name: schemaOf(found?.content) ?? "", headers: found?.headers ?? {} };
};

const isList = (responses: Operation["responses"]) =>
  answerOf(responses).name.endsWith("Page") && answerOf(responses).name !== "ChangePage";
const hasRows = (responses: Operation["responses"]) =>
  /(Page|List)$/.test(answerOf(responses).name);

function methodSource(
  operation: Operation,
  name: string,
  group: string,
  components: Record<string, JsonSchema>,
) {
  const { method, path, summary, description, parameters, requestBody, responses } = operation;
  const answer = answerOf(responses);
  const [header] = Object.keys(answer.headers).filter((one) => one in ISSUED);
  const issued = header === undefined ? undefined : ISSUED[header];
  const bodyName = schemaOf(requestBody?.content);
  const inPath = parameters.filter((one) => one.in === "path");
  const inQuery = parameters.filter((one) => one.in === "query");
  const takesKey = parameters.some((one) => one.name === "Idempotency-Key");
  const queryType = inQuery.length > 0 ? `${group}${pascalCase(name)}Query` : undefined;
  const typed = [
    ...inPath.map(
      (one) => `${one.name}: ${one.schema["type"] === "integer" ? "number" : "string"}`,
    ),
    ...(bodyName ? [given("body", typeNameOf(bodyName), requestBody?.required === true)] : []),
    ...(queryType
      ? [
          given(
            "query",
            queryType,
            inQuery.some((one) => one.required),
          ),
        ]
      : []),
    `options: ${takesKey ? "WriteOptions" : "RequestOptions"} = {}`,
  ];
  const url = path.replace(/\{(\w+)\}/g, "${pathPart($1)}");
  const call = [
    `method: ${JSON.stringify(method.toUpperCase())}`,
    `path: ${url === path ? JSON.stringify(path) : `\`${url}\``}`,
    ...(bodyName ? ["body"] : []),
    ...(queryType ? ["query"] : []),
    ...(takesKey ? ["takesKey: true"] : []),
    ...(issued ? [`issued: { header: "${header}", property: "${issued.property}" }`] : []),
  ].join(", ");
  const answerType =
    typeNameOf(answer.name) + (issued ? ` & { ${issued.property}: string | null }` : "");
  const row = isList(responses) ? rowOf(components[answer.name] ?? {}, answer.name) : undefined;
  const [type, ask] = row
    ? [`Pages<${row}, ${answer.name}>`, "list"]
    : [`Promise<${answerType}>`, "send"];
  return {
    text: `${commentOf(`${summary}. ${description ?? ""}`.trim(), issued?.what, `\`${method.toUpperCase()} ${path}\``)}${name}(${typed.join(", ")}): ${type} {\n  return this.#transport.${ask}({ ${call} }, options);\n}`,
    types: [answer.name, bodyName, queryType, row].flatMap((one) =>
      one ? [typeNameOf(one)] : [],
    ),
    schemas: [answer.name, ...(bodyName ? [bodyName] : [])],
    query: queryType && { name: queryType, summary, parameters: inQuery.map(plain) },
  };
}

/** The type of a page's rows: the schema that its `results` refer to, else one named after the page. */
function rowOf(page: JsonSchema, name: string): string {
  const { results } = page["properties"] as { results: { items: JsonSchema } };
  const reference = results.items["$ref"];
  return typeof reference === "string"
    ? typeNameOf(reference.split("/").at(-1) ?? "")
    : `${name}Result`;
}

const given = (name: string, type: string, isRequired: boolean) =>
  isRequired ? `${name}: ${type}` : `${name}: ${type} = {}`;

const plain = ({ name, description, required, schema }: Parameter) => ({
  name,
  description,
  required,
  schema,
});

const classNameOf = ({ name }: Group) => (name === "" ? "Duebook" : `${name}Api`);

/** The classes, nested ones first. */
function classesOf(group: Group): string[] {
  const { methods, below } = group;
  const fields = Array.from(below, ([property, inner]) => [property, classNameOf(inner)]);
  const sends = methods.length > 0;
  const name = classNameOf(group);
  const text = `${commentOf(ABOUT[name])}export class ${name} {
${fields.map(([property, type]) => `readonly ${property}: ${type};`).join("\n")}
${sends ? "readonly #transport: Transport;" : ""}

constructor(transport: Transport) {
${sends ? "this.#transport = transport;" : ""}
${fields.map(([property, type]) => `this.${property} = new ${type}(transport);`).join("\n")}
}

${methods.join("\n\n")}
}`;
  return [...Array.from(below.values(), classesOf).flat(), text];
}
