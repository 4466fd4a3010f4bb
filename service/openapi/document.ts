import { EVENT_KINDS, type EventKind } from "#contract/names.ts";
import { BODY_OF_EVENT, EVENT_BODIES, EVENT_EXAMPLES } from "./event-examples.ts";
import { withDescriptions } from "./field-descriptions.ts";
import { RESPONSE_HEADERS, jsonBody, type Operation, type Parameter } from "./operation.ts";
import { componentSchemas, type JsonSchema } from "./schemas.ts";

const ABOUT = `Every request of the API carries \`Authorization: Bearer <API key>\`; the key decides
which seller it acts for. Every address ends in a slash: a GET without it is redirected (301), a
write without it fails (404). An unsupported method answers 405, an unknown address 404. Errors
contain either \`detail\` or the names of the invalid fields. Addresses under \`/account/v1/\` are the
account API: the account's profile, keys, catalogue and deliveries.`;
const KEY =
  "An API key. Its scope `read` opens GET, `write` opens the other methods, `account` opens the catalogue and settings of the account API.";
const ACCOUNT_TOKEN =
  "The account's own token. It opens the account API, and only it makes, changes and revokes keys. Addresses under `/api/v1/` refuse it.";
const INSTALLATION_TOKEN =
  "The token of a dashboard's installation. It can open new accounts, but neither read nor change one.";
const OPERATOR_TOKEN = "The token of this service's operator, who verifies accounts.";
const ABOUT_SANDBOX = "Addresses under `/sandbox/` exist on the sandbox host only.";

export function describeService(
  operations: Operation[],
  { publicUrl, version }: { publicUrl: string; version: string },
) {
  const about = ABOUT.replaceAll("\n", " ");
  const hasSandbox = operations.some(({ path }) => path.startsWith("/sandbox/"));
  const paths = describePaths(operations);
  return {
    openapi: "3.1.1",
    info: {
      title: "Subscription billing",
      version,
      description: hasSandbox ? `${about} ${ABOUT_SANDBOX}` : about,
    },
    servers: [{ url: publicUrl }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    webhooks: WEBHOOKS,
    components: {
      schemas: schemasOf({ paths, WEBHOOKS }),
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(([name, description]) => [
          name,
          { description, schema: { type: "string" } },
        ]),
      ),
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: KEY },
        account_token: { type: "http", scheme: "bearer", description: ACCOUNT_TOKEN },
        installation_token: { type: "http", scheme: "bearer", description: INSTALLATION_TOKEN },
        operator_token: { type: "http", scheme: "bearer", description: OPERATOR_TOKEN },
      },
    },
  };
}

export type Description = ReturnType<typeof describeService>;

function schemasOf(paths: object) {
  const whole: Record<string, JsonSchema> = componentSchemas();
  const used: Record<string, JsonSchema> = {};
  const follow = (value: object) => {
    for (const [, name = ""] of JSON.stringify(value).matchAll(
      /#\/components\/schemas\/(\w+)/g,
    )) {
      const schema = whole[name];
      if (!schema || used[name]) continue;
      used[name] = withDescriptions(schema, name in EVENT_BODIES ? "Event" : name, name);
      follow(schema);
    }
  };
  follow(paths);
  return used;
}

function describePaths(operations: Operation[]) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const { method, path, tag, isPublic, credentials, ...operation } of operations) {
    paths[path] ??= {};
    paths[path][method] = {
      ...operation,
      operationId: operationId(method, path),
      tags: [tag],
      security: isPublic ? [] : credentials.map((name) => ({ [name]: [] })),
    };
  }
  return paths;
}

const operationId = (method: string, path: string) =>
  [method, ...path.split(/[^a-z]+/).filter((word) => !/^(api|v)?$/.test(word))].join("_");

const WHEN: Record<EventKind, string> = {
  "checkout.succeeded":
    "A payment succeeded: the first one, or a renewal. Only this proves a payment; `data` says what was paid.",
  "checkout.failed": "A payment was declined, or the buyer did not complete it.",
  "subscription.status_changed":
    "The status or the billing date changed, by time, by the API or by a payment. It proves no payment.",
  "payment.refunded":
    "Money of a payment was given back, the whole or a part; `data` says how much, and what is left of the payment. The subscription stays as it is.",
  "payment.refund_failed":
    "A refund that `payment.refunded` announced has failed: the payment provider has the money again. `data` describes the refund, and says what is left of the payment now.",
  "payment.disputed":
    "A buyer disputes a payment at their bank, and its provider has taken the money back for now. The subscription stays as it is; a member decides.",
};

const header = (name: string, description: string): Parameter => ({
  name,
  in: "header",
  required: true,
  description,
  schema: { type: "string" },
});

const SIGNED = [
  header("webhook-id", "The event's id, the same in every attempt: act only once on each id"),
  header("webhook-timestamp", "When the delivery was sent, in seconds since 1970"),
  header(
    "webhook-signature",
    "`v1,` and the HMAC-SHA256 of id.timestamp.body in base64; two signatures while a secret is replaced",
  ),
];

const WEBHOOKS = Object.fromEntries(
  EVENT_KINDS.map((event) => [
    event,
    {
      post: {
        summary: `The body sent to endpoints for ${event}`,
        description: WHEN[event],
        parameters: SIGNED,
        requestBody: jsonBody(BODY_OF_EVENT[event], EVENT_EXAMPLES[event]),
        responses: {
          "2XX": { description: "Accepted. Any other answer is retried, over 75 hours." },
          410: { description: "The endpoint is gone and is switched off." },
        },
      },
    },
  ]),
);
