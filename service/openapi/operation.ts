import { EXAMPLES, TEXT_EXAMPLES } from "./examples.ts";
import { schemaReference, type JsonSchema, type SchemaName } from "./schemas.ts";

export interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  required: boolean;
  description: string;
  schema: JsonSchema;
}

export interface Response {
  description: string;
  headers: Record<string, { $ref: string }>;
  content?: Content;
}

export type Content = Record<string, { schema: JsonSchema; example: unknown }>;

export interface Operation {
  method: "get" | "post" | "patch";
  path: string;
  tag: string;
  summary: string;
  description?: string;
  isPublic?: boolean;
  /** The names of the security schemes, one of which a request needs. */
  credentials: ("key" | "account_token" | "installation_token" | "operator_token")[];
  parameters: Parameter[];
  requestBody?: {
    required: boolean;
    content: Content;
  };
  responses: Record<string, Response>;
}

export const RESPONSE_HEADERS = {
  "x-request-id": "Identifies this request in the service's log",
  "x-api-version": "The version of the interface",
  "retry-after": "Seconds to wait before the next try",
  "www-authenticate": "How to send an API key",
  "idempotent-replayed": "Present if an earlier answer is repeated",
  "x-webhook-secret": "The signing secret, shown only once; a repeated answer leaves it out",
  "x-issued-key": "The new key or token, shown only once; a repeated answer leaves it out",
  location: "Where to continue",
} as const;
export type HeaderName = keyof typeof RESPONSE_HEADERS;

const headers = (names: HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

export const jsonResponse = (
  description: string,
  schema: SchemaName,
  names: readonly HeaderName[] = [],
  example: unknown = EXAMPLES[schema],
): Response => ({
  description,
  headers: headers(["x-request-id", ...names]),
  content: { "application/json": { schema: schemaReference(schema), example } },
});

/** An answer in another format, or without a body where no type is named. */
export const otherResponse = (
  description: string,
  type?: string,
  names: HeaderName[] = [],
): Response => ({
  description,
  headers: headers(["x-request-id", ...names]),
  ...(type
    ? { content: { [type]: { schema: { type: "string" }, example: TEXT_EXAMPLES[type] } } }
    : {}),
});

export const jsonBody = (schema: SchemaName, example: unknown = EXAMPLES[schema]) => ({
  required: true,
  content: { "application/json": { schema: schemaReference(schema), example } },
});
