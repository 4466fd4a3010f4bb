import type { FastifyInstance } from "fastify";
import * as z from "zod";
import { SENDING_CHANNELS } from "#contract/names.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/names.ts";
import { routesOf, type Route, type RouteDoc } from "../http/route-doc.ts";
import { withDescriptions } from "./field-descriptions.ts";
import {
  jsonResponse,
  jsonBody,
  otherResponse,
  type Operation,
  type Parameter,
  type Response,
} from "./operation.ts";
import { schemaNameOf, toJsonSchema, type JsonSchema } from "./schemas.ts";

/** The operations of all documented routes; a test fails if a route of the service has no `doc`. */
export const operationsOf = (app: FastifyInstance): Operation[] =>
  routesOf(app).flatMap((route) =>
    route.doc && route.method !== "HEAD" ? [describeRoute(route, route.doc)] : [],
  );

function describeRoute(route: Route, doc: RouteDoc): Operation {
  const { method, url } = route;
  const isPublic = route.access === null;
  const { summary, query, isPaged, isWrite } = doc;
  const description = [doc.description, opensWords(route)].filter(Boolean).join(" ");
  return {
    method: method.toLowerCase() as Operation["method"],
    path: url.replace(/:(\w+)/g, "{$1}"),
    tag: tagOf(url),
    summary,
    ...(description !== "" && { description }),
    isPublic,
    credentials: credentialsOf(route),
    parameters: [
      ...[...url.matchAll(/:(\w+)/g)].map(([, name = ""]) => pathParameter(name, url)),
      ...(isPaged ? PAGING : []),
      ...Object.entries(query?.meanings ?? {}).map(([name, meaning]) =>
        queryParameter(
          name,
          meaning,
          toJsonSchema(query?.schemas[name] ?? z.never(), "output"),
          query?.required?.includes(name),
        ),
      ),
      ...(isWrite ? [IDEMPOTENCY_KEY] : []),
    ],
    ...bodyOf(doc),
    responses: {
      ...(isPublic ? publicRefusals(route, doc) : apiRefusals(route, doc)),
      ...ownRefusals(doc, isPublic),
      ...(doc.redirect && { 303: otherResponse(doc.redirect, undefined, ["location"]) }),
      [doc.status ?? 200]: successOf(doc, isPublic),
    },
  };
}

const credentialsOf = ({ access }: Route): Operation["credentials"] => [
  ...(access?.scope ? (["key"] as const) : []),
  ...(access?.token ? (["account_token"] as const) : []),
  ...(access?.sharedToken ? [`${access.sharedToken}_token` as const] : []),
];

/** What an account, operator or installation route needs, as a sentence; empty for others. */
function opensWords({ access }: Route): string {
  if (access?.sharedToken) return `Needs the token of the ${access.sharedToken}.`;
  if (!access?.token) return "";
  return access.scope === null
    ? "Needs the account token."
    : `Needs an API key with the scope \`${access.scope}\`, or the account token.`;
}

function tagOf(url: string): string {
  const noun = /^\/api\/v1\/(\w+)/.exec(url)?.[1];
  if (noun) return noun.charAt(0).toUpperCase() + noun.slice(1);
  if (url.startsWith("/account/")) return "Account";
  if (url.startsWith("/operator/")) return "Operator";
  if (url.startsWith("/sandbox/")) return "Sandbox";
  if (/^\/(pay|sandbox-pay|bill|stop|media)/.test(url)) return "Checkout";
  if (url.startsWith("/message-reports/")) return "Account";
  return url.endsWith("z") ? "Health" : "Documentation";
}

const UUID = { type: "string", format: "uuid" };

/** Descriptions of path parameters, by the end of the path up to the parameter. */
const PATH_PARAMETERS: [RegExp, string, JsonSchema][] = [
  [/:file$/, "The image's file name", { type: "string", pattern: "^[a-z0-9-]+\\.svg$" }],
  [
    /:image$/,
    "The SHA-256 of the image, with its ending",
    { type: "string", pattern: "^[0-9a-f]{64}\\.webp$" },
  ],
  [
    /:color$/,
    "The color's six digits, with the ending of a stylesheet",
    { type: "string", pattern: "^[0-9a-f]{6}\\.css$" },
  ],
  [/:reference$/, "The provider's reference of the payment", UUID],
  [/\/statements\/:month$/, "The month", { type: "string", pattern: "^\\d{4}-\\d{2}$" }],
  [/\/payment-accounts\/:provider$/, "The provider", { type: "string", maxLength: 40 }],
  [/\/channels\/:channel$/, "The channel", { type: "string", enum: [...SENDING_CHANNELS] }],
  [
    /\/my\/:key$/,
    "The part of the address that identifies the seller",
    { type: "string", pattern: "^[0-9a-f]{12}$" },
  ],
  [
    /\/buy\/:key$/,
    "The unguessable part of the shared link",
    { type: "string", pattern: "^[0-9a-f]{24}$" },
  ],
  [/\/stop\/:key$/, "The unguessable part of a recipient's address", { type: "string" }],
  [/\/pay-(return|notices)\/:key$/, "The unguessable part of the account's address", UUID],
  [/\/message-reports\/:key$/, "The unguessable part of the channel's address", UUID],
  [/\/bill\/:code$/, "The unguessable code of the bill, which its QR code contains", UUID],
  [/\/bills?\/:\w+$/, "The bill's id", UUID],
  [/\/documents\/:\w+$/, "The document's id", UUID],
  [/\/products\/:id$/, "The product's id", UUID],
  [/\/pay\/:id$/, "The subscription's id, as in the checkout link", UUID],
  [/\/subscriptions\/:id$/, "The subscription's id", UUID],
];

function pathParameter(name: string, url: string): Parameter {
  const place = url.slice(0, url.indexOf(`:${name}`) + name.length + 1);
  const [, description, schema] = PATH_PARAMETERS.find(([pattern]) => pattern.test(place)) ?? [
    null,
    "The record's number",
    { type: "integer", minimum: 1 },
  ];
  return { name, in: "path", required: true, description, schema };
}

const queryParameter = (
  name: string,
  description: string,
  schema: JsonSchema,
  required = false,
): Parameter => ({
  name,
  in: "query",
  required,
  description,
  schema,
});

const PAGING = [
  queryParameter("page", "Page number, from 1", { type: "integer", minimum: 1, default: 1 }),
  queryParameter(
    "page_size",
    `Rows per page; more than ${MAX_PAGE_SIZE} is taken as ${MAX_PAGE_SIZE}`,
    {
      type: "integer",
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
    },
  ),
];

const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Makes it safe to repeat the request: for 24 hours the same answer is given again",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

function bodyOf({ body, form }: RouteDoc): Pick<Operation, "requestBody"> {
  if (body) {
    const required = !body.safeParse(undefined).success;
    return { requestBody: { ...jsonBody(schemaNameOf(body)), required } };
  }
  if (!form) return {};
  const schema = withDescriptions(toJsonSchema(form.schema, "input"), "form");
  const { example } = form;
  return {
    requestBody: {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema, example } },
    },
  };
}

function successOf(
  { status, success = "Done", answer, secretHeader }: RouteDoc,
  isPublic: boolean,
) {
  const isRedirect = status === 302 || status === 303;
  if (!answer || typeof answer === "string")
    return otherResponse(success, answer, isRedirect ? ["location"] : []);
  const secret = secretHeader === undefined ? [] : [secretHeader];
  return jsonResponse(success, schemaNameOf(answer), [...(isPublic ? [] : VERSION), ...secret]);
}

const VERSION = ["x-api-version"] as const;

function ownRefusals({ refusals = {} }: RouteDoc, isPublic: boolean) {
  return Object.fromEntries(
    Object.entries(refusals).map(([status, refusal]) => {
      const { text, schema } =
        typeof refusal === "string"
          ? { text: refusal, schema: "GeneralError" as const }
          : refusal;
      return [status, jsonResponse(text, schema, isPublic ? [] : [...VERSION])];
    }),
  );
}

type Responses = Record<number, Response>;

const refused = (
  description: string,
  detail?: string,
  header?: "www-authenticate" | "retry-after",
) =>
  jsonResponse(
    description,
    "GeneralError",
    [...VERSION, ...(header ? [header] : [])],
    detail && { detail },
  );

const ALWAYS: Responses = {
  401: refused(
    "The key is missing, malformed or inactive",
    "This API key is unknown or no longer active.",
    "www-authenticate",
  ),
  429: refused("Too many requests", "Too many requests. Try again in 3 s.", "retry-after"),
  500: refused(
    "An error of the service",
    "Something went wrong here. The request id in the header x-request-id helps to find it.",
  ),
  503: refused(
    "The database is unavailable",
    "The service cannot reach its database. Try again in a moment.",
    "retry-after",
  ),
};
const FORBIDDEN: Responses = {
  403: refused(
    "The account is not verified yet, or the key lacks the scope",
    "This API key lacks the scope write; it has read. Nothing was changed.",
    "www-authenticate",
  ),
};
const NOT_FOUND: Responses = { 404: refused("There is no such record or page") };
const READS_BODY: Responses = {
  413: refused("The body is too large", "The request body is too large."),
  415: refused(
    "The body is not sent as application/json",
    "Send the body as application/json.",
  ),
};
const WRITES: Responses = {
  400: jsonResponse("Refused, by field or as a whole", "Problem", [...VERSION]),
  409: refused(
    "A request with this Idempotency-Key is still running",
    "A request with this Idempotency-Key is still running.",
  ),
  422: refused(
    "This Idempotency-Key was used for another request",
    "This Idempotency-Key was used for another request.",
  ),
};

const apiRefusals = ({ method, url }: Route, { isPaged, isWrite }: RouteDoc): Responses => ({
  ...ALWAYS,
  ...FORBIDDEN,
  ...((isPaged || url.includes(":")) && NOT_FOUND),
  ...(method !== "GET" && READS_BODY),
  ...(isWrite && WRITES),
});

const ERROR: Responses = { 500: jsonResponse("An error of the service", "GeneralError") };
const PROVIDER_ERRORS: Responses = {
  ...ERROR,
  429: jsonResponse("Too many requests", "GeneralError"),
};
const PAGE_ERRORS: Responses = {
  400: otherResponse("The request was not accepted", "text/html"),
  404: otherResponse("There is no such link", "text/html"),
  500: otherResponse("An error of the service", "text/html"),
  503: otherResponse("The service is temporarily unavailable", "text/html"),
};
const CLOSED: Responses = {
  410: otherResponse("Nothing can be ordered at this link now", "text/html"),
};
const FORM_ERRORS: Responses = {
  ...PAGE_ERRORS,
  403: otherResponse("The form was sent from another site", "text/html"),
  413: otherResponse("The form is too large", "text/html"),
  415: otherResponse("The body is not a form", "text/html"),
};

/** The refusals of public routes: those for buyers answer with pages, all others with JSON. */
function publicRefusals({ url }: Route, { form }: RouteDoc): Responses {
  if (url.startsWith("/buy/"))
    return form ? { ...FORM_ERRORS, ...CLOSED } : { ...PAGE_ERRORS, ...CLOSED };
  if (form) return FORM_ERRORS;
  if (/^\/pay-(return|notices)\/:/.test(url)) return PROVIDER_ERRORS;
  return /^\/(?:(?:sandbox-)?pay[^:]*|stop\/|bill\/|my\/):/.test(url) ? PAGE_ERRORS : ERROR;
}
