import { EVENT_KINDS } from "#contract/events.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "#contract/pagination.ts";
import { SUBSCRIPTION_STATUSES } from "#contract/subscription-statuses.ts";
import { WEBHOOK_SECRET_HEADER } from "#contract/webhooks.ts";
import { json, jsonBody, pathId, type Operation, type Parameter } from "./operation.ts";
import type { SchemaName } from "./schemas.ts";

const PAGING: Parameter[] = [
  {
    name: "page",
    in: "query",
    required: false,
    description: "Which page, from 1",
    schema: { type: "integer", minimum: 1, default: 1 },
  },
  {
    name: "page_size",
    in: "query",
    required: false,
    description: `Rows on a page; more than ${MAX_PAGE_SIZE} is taken as ${MAX_PAGE_SIZE}`,
    schema: { type: "integer", minimum: 1, maximum: MAX_PAGE_SIZE, default: DEFAULT_PAGE_SIZE },
  },
];

const STATUS: Parameter = {
  name: "status",
  in: "query",
  required: false,
  description: "Only subscriptions in this status",
  schema: { type: "string", enum: [...SUBSCRIPTION_STATUSES] },
};

export const IDEMPOTENCY_KEY: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Makes repeating the request safe: within 24 hours the same answer comes again",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const refused = (description: string, detail?: string) =>
  json(description, "GeneralError", ["x-api-version"], detail && { detail });

const ALWAYS = {
  401: json(
    "The key is missing, malformed or inactive",
    "GeneralError",
    ["x-api-version", "www-authenticate"],
    { detail: "This API key is unknown or no longer active." },
  ),
  429: json("Too many requests", "GeneralError", ["x-api-version", "retry-after"], {
    detail: "Too many requests. Try again in 3 s.",
  }),
  500: refused(
    "A fault of the service",
    "Something went wrong here. The request id in the header x-request-id helps to find it.",
  ),
  503: json("The database is out of reach", "GeneralError", ["x-api-version", "retry-after"], {
    detail: "The service cannot reach its database. Try again in a moment.",
  }),
};
export const VERIFIED = {
  ...ALWAYS,
  403: json(
    "The account is not verified yet",
    "GeneralError",
    ["x-api-version", "www-authenticate"],
    {
      detail:
        "The account of this key is not verified yet. Only the product list works until then.",
    },
  ),
};

export const NOT_FOUND = { 404: refused("There is no such record or page") };

export const READS_BODY = {
  413: refused("The body is too large", "The request body is too large."),
  415: refused(
    "The body is not sent as application/json",
    "Send the body as application/json.",
  ),
};

export const WRITES = {
  ...VERIFIED,
  ...READS_BODY,
  400: json("Refused, by field or as a whole", "Problem", ["x-api-version"]),
  409: refused(
    "A request with this Idempotency-Key is still running",
    "A request with this Idempotency-Key is still running.",
  ),
  422: refused(
    "This Idempotency-Key was used for another request",
    "This Idempotency-Key was used for another request.",
  ),
};

export const ok = (schema: SchemaName) => ({ 200: json("Done", schema, ["x-api-version"]) });

export const SUBSCRIPTION_ID = pathId("The subscription's id", {
  type: "string",
  format: "uuid",
});
export const NUMBER_ID = pathId("The record's number", { type: "integer", minimum: 1 });

export const API_OPERATIONS: Operation[] = [
  {
    method: "get",
    path: "/api/v1/products/",
    tag: "Products",
    summary: "List products",
    description:
      "Active products with their visible billing periods, newest first. Works before the account is verified.",
    parameters: PAGING,
    responses: { ...ok("ProductPage"), ...ALWAYS, ...NOT_FOUND },
  },
  {
    method: "get",
    path: "/api/v1/subscriptions/",
    tag: "Subscriptions",
    summary: "List subscriptions",
    description:
      "Newest first. The counters count recurring subscriptions of the whole account, whatever the filter.",
    parameters: [...PAGING, STATUS],
    responses: {
      ...ok("SubscriptionPage"),
      ...VERIFIED,
      ...NOT_FOUND,
      400: json("There is no such status", "FieldErrors", ["x-api-version"]),
    },
  },
  {
    method: "post",
    path: "/api/v1/subscriptions/",
    tag: "Subscriptions",
    summary: "Create a subscription",
    description:
      "Answers with the checkout's address for the buyer. A pending one of the same buyer and plan is reused.",
    parameters: [IDEMPOTENCY_KEY],
    requestBody: jsonBody("CreateSubscription"),
    responses: {
      201: json("Created or reused", "CreatedSubscription", ["x-api-version"]),
      ...WRITES,
    },
  },
  {
    method: "get",
    path: "/api/v1/subscriptions/{id}/",
    tag: "Subscriptions",
    summary: "Get a subscription",
    parameters: [SUBSCRIPTION_ID],
    responses: { ...ok("Subscription"), ...VERIFIED, ...NOT_FOUND },
  },
  ...(["cancel", "resume"] as const).map((verb): Operation => ({
    method: "post",
    path: `/api/v1/subscriptions/{id}/${verb}/`,
    tag: "Subscriptions",
    summary: verb === "cancel" ? "Cancel at the period's end" : "Undo a scheduled cancellation",
    parameters: [SUBSCRIPTION_ID, IDEMPOTENCY_KEY],
    responses: { ...ok("Message"), ...WRITES, ...NOT_FOUND },
  })),
  {
    method: "post",
    path: "/api/v1/subscriptions/update-billing-cycle/",
    tag: "Subscriptions",
    summary: "Move the billing date",
    parameters: [IDEMPOTENCY_KEY],
    requestBody: jsonBody("RescheduleSubscription"),
    responses: { ...ok("Message"), ...WRITES },
  },
  {
    method: "get",
    path: "/api/v1/customers/",
    tag: "Customers",
    summary: "List customers",
    parameters: PAGING,
    responses: { ...ok("CustomerPage"), ...VERIFIED, ...NOT_FOUND },
  },
  {
    method: "get",
    path: "/api/v1/customers/{id}/",
    tag: "Customers",
    summary: "Get a customer",
    parameters: [NUMBER_ID],
    responses: { ...ok("Customer"), ...VERIFIED, ...NOT_FOUND },
  },
  {
    method: "get",
    path: "/api/v1/webhooks/",
    tag: "Webhooks",
    summary: "List webhook registrations",
    parameters: PAGING,
    responses: { ...ok("WebhookPage"), ...VERIFIED, ...NOT_FOUND },
  },
  {
    method: "post",
    path: "/api/v1/webhooks/",
    tag: "Webhooks",
    summary: "Register a webhook",
    description: `One registration takes one kind of event: ${EVENT_KINDS.join(", ")}. The signing secret is in the header \`${WEBHOOK_SECRET_HEADER}\` of this answer and in no other.`,
    parameters: [IDEMPOTENCY_KEY],
    requestBody: jsonBody("CreateWebhook"),
    responses: {
      201: json("Registered; its secret is in a header", "Webhook", [
        "x-api-version",
        WEBHOOK_SECRET_HEADER,
      ]),
      ...WRITES,
    },
  },
  {
    method: "patch",
    path: "/api/v1/webhooks/{id}/",
    tag: "Webhooks",
    summary: "Change a webhook registration",
    parameters: [NUMBER_ID, IDEMPOTENCY_KEY],
    requestBody: jsonBody("UpdateWebhook"),
    responses: { ...ok("Webhook"), ...WRITES, ...NOT_FOUND },
  },
];
