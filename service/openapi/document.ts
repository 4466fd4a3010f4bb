import { API_OPERATIONS } from "./api-operations.ts";
import { WEBHOOKS } from "./event-payloads.ts";
import { withMeanings } from "./field-descriptions.ts";
import { HEADERS, type Operation } from "./operation.ts";
import { SANDBOX_OPERATIONS } from "./sandbox-operations.ts";
import { componentSchemas, type JsonSchema } from "./schemas.ts";
import { SITE_OPERATIONS } from "./site-operations.ts";

export const OPERATIONS: Operation[] = [
  ...API_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...SITE_OPERATIONS,
];

type Mode = "test" | "live";

// ADR 0061, 0072: live mode has none of it, so its description names none of it.
const isOfSandbox = ({ path }: Operation) => path.includes("sandbox");

/** What a service of that mode answers to. */
export const operationsOf = (mode: Mode) =>
  mode === "test" ? OPERATIONS : OPERATIONS.filter((one) => !isOfSandbox(one));

const ABOUT = `Every request of the API carries \`Authorization: Bearer <API key>\`; the key decides
which seller it acts for. Every address ends in a slash: a GET without it is redirected (301), a
write without it fails (404). A method that an address does not have answers 405, an unknown address
404, and all refusals bear either \`detail\` or the names of the fields they are about.`;
const ABOUT_SANDBOX = "What lies under `/sandbox/` exists on the sandbox host only.";

/** The whole interface as OpenAPI 3.1, out of the contract's schemas and the table of operations. */
export function describeService(publicUrl: string, version: string, mode: Mode = "test") {
  const operations = operationsOf(mode);
  const about = ABOUT.replaceAll("\n", " ");
  const paths = describePaths(operations);
  return {
    openapi: "3.1.1",
    info: {
      title: "Subscription billing",
      version,
      description: mode === "test" ? `${about} ${ABOUT_SANDBOX}` : about,
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: schemasOf({ paths, WEBHOOKS }),
      headers: Object.fromEntries(
        Object.entries(HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "string" } },
        ]),
      ),
      securitySchemes: { key: { type: "http", scheme: "bearer" } },
    },
  };
}

export type Description = ReturnType<typeof describeService>;

/** The schemas that the paths refer to, and those that these refer to. */
function schemasOf(paths: object) {
  const whole: Record<string, JsonSchema> = componentSchemas();
  const used: Record<string, JsonSchema> = {};
  const follow = (value: object) => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(
      /#\/components\/schemas\/(\w+)/g,
    )) {
      const schema = whole[name];
      if (!schema || used[name]) continue;
      used[name] = withMeanings(schema, name);
      follow(schema);
    }
  };
  follow(paths);
  return used;
}

function describePaths(operations: Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, tag, isPublic, ...operation } of operations) {
    paths[path] ??= {};
    paths[path][method] = {
      ...operation,
      operationId: operationId(method, path),
      tags: [tag],
      security: isPublic ? [] : [{ key: [] }],
    };
  }
  return paths;
}

const operationId = (method: string, path: string) =>
  [method, ...path.split(/[^a-z]+/).filter((word) => !/^(api|v)?$/.test(word))].join("_");
