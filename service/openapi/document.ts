import { API_OPERATIONS } from "./api-operations.ts";
import { HEADERS, type Operation } from "./operation.ts";
import { SANDBOX_OPERATIONS } from "./sandbox-operations.ts";
import { componentSchemas } from "./schemas.ts";
import { SITE_OPERATIONS } from "./site-operations.ts";

export const OPERATIONS: Operation[] = [
  ...API_OPERATIONS,
  ...SANDBOX_OPERATIONS,
  ...SITE_OPERATIONS,
];

const ABOUT = `Every request of the API carries \`Authorization: Bearer <API key>\`; the key decides
which seller it acts for. Every address ends in a slash: a GET without it is redirected (301), a
write without it fails (404). A method that an address does not have answers 405, an unknown address
404, and all refusals bear either \`detail\` or the names of the fields they are about. What lies under
\`/sandbox/\` exists on the sandbox host only.`;

/** The whole interface as OpenAPI 3.1, out of the contract's schemas and the table of operations. */
export function describeService(publicUrl: string, version: string) {
  return {
    openapi: "3.1.1",
    info: { title: "Subscription billing", version, description: ABOUT.replaceAll("\n", " ") },
    servers: [{ url: publicUrl }],
    tags: [...new Set(OPERATIONS.map(({ tag }) => tag))].map((name) => ({ name })),
    paths: describePaths(),
    components: {
      schemas: componentSchemas(),
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

function describePaths() {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, tag, isPublic, ...operation } of OPERATIONS) {
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
