import { PAYMENT_OUTCOMES } from "#contract/sandbox-names.ts";
import { LANGUAGES } from "../checkout/reader.ts";
import { withMeanings } from "./field-descriptions.ts";
import { json, other, pathId, type Operation } from "./operation.ts";
import type { JsonSchema } from "./schemas.ts";

const PAGE = "text/html";
const LINK = pathId("The subscription's id, as the checkout link has it", {
  type: "string",
  format: "uuid",
});

const LANGUAGE = {
  name: "lang",
  in: "query" as const,
  required: false,
  description: "The page's language; without it, as the browser asks",
  schema: { type: "string", enum: LANGUAGES },
};

const REFERENCE = {
  ...pathId("The provider's reference of the payment", { type: "string", format: "uuid" }),
  name: "reference",
};

const faults = {
  500: json("A fault of the service", "GeneralError"),
};
const pageFaults = {
  400: other("Not accepted", PAGE),
  404: other("There is no such link", PAGE),
  500: other("A fault of the service", PAGE),
  503: other("Not available just now", PAGE),
};
const formFaults = {
  ...pageFaults,
  403: other("Sent from another site", PAGE),
  413: other("Too large", PAGE),
  415: other("Not a form", PAGE),
};

const form = (properties: JsonSchema, required: string[], example: Record<string, string>) => ({
  required: true,
  content: {
    "application/x-www-form-urlencoded": {
      schema: withMeanings({ type: "object", properties, required }, "form"),
      example,
    },
  },
});

const ATTEMPT = "1b7e9c02-5a4d-4f38-8c61-d90a2e3b47f5";

const open = { isPublic: true, parameters: [] };

/** What is served beside the API: the checkout, this description, and the state of the service. */
export const SITE_OPERATIONS: Operation[] = [
  {
    ...open,
    method: "get",
    path: "/pay/{id}",
    tag: "Checkout",
    summary: "The page where the buyer pays",
    parameters: [LINK, LANGUAGE],
    responses: { 200: other("The page", PAGE), ...pageFaults },
  },
  {
    ...open,
    method: "post",
    path: "/pay/{id}/code",
    tag: "Checkout",
    summary: "Ask for a one-time code",
    parameters: [LINK],
    requestBody: form(
      {
        method: { type: "string", enum: ["wallet", "bank"] },
        ahead: { type: "string", enum: ["1"] },
        page: { type: "string", format: "uuid" },
      },
      ["method"],
      { method: "wallet" },
    ),
    responses: { 303: other("Back to the page", undefined, ["location"]), ...formFaults },
  },
  {
    ...open,
    method: "post",
    path: "/pay/{id}/pay",
    tag: "Checkout",
    summary: "Pay with the code",
    parameters: [LINK],
    requestBody: form(
      {
        attempt: { type: "string", format: "uuid" },
        code: { type: "string", maxLength: 12 },
        total: { type: "string", maxLength: 20 },
      },
      ["attempt", "code", "total"],
      { attempt: ATTEMPT, code: "424242", total: "1130.00" },
    ),
    responses: {
      303: other("On to the wallet or bank, or back to the page", undefined, ["location"]),
      ...formFaults,
    },
  },
  {
    ...open,
    method: "get",
    path: "/sandbox-pay/{reference}",
    tag: "Checkout",
    summary: "The sandbox wallet's or bank's own page",
    parameters: [REFERENCE],
    responses: {
      200: other("The page", PAGE),
      303: other("Chosen already: back to the checkout", undefined, ["location"]),
      ...pageFaults,
    },
  },
  {
    ...open,
    method: "post",
    path: "/sandbox-pay/{reference}",
    tag: "Checkout",
    summary: "Choose how a sandbox payment ends",
    parameters: [REFERENCE],
    requestBody: form(
      { outcome: { type: "string", enum: [...PAYMENT_OUTCOMES] } },
      ["outcome"],
      { outcome: "approve" },
    ),
    responses: { 303: other("Back to the checkout", undefined, ["location"]), ...formFaults },
  },
  {
    ...open,
    method: "post",
    path: "/pay-notices/sandbox",
    tag: "Checkout",
    summary: "Tell the checkout to ask the sandbox about a payment",
    requestBody: form({ reference: { type: "string", format: "uuid" } }, ["reference"], {
      reference: ATTEMPT,
    }),
    responses: { 204: other("Asked"), ...formFaults },
  },
  {
    ...open,
    method: "get",
    path: "/pay-assets/checkout.css",
    tag: "Checkout",
    summary: "The page's style",
    responses: { 200: other("The style", "text/css"), ...faults },
  },
  {
    ...open,
    method: "get",
    path: "/media/products/{file}",
    tag: "Checkout",
    summary: "A picture of the demonstration's products",
    parameters: [
      {
        name: "file",
        in: "path",
        required: true,
        description: "The picture's file name",
        schema: { type: "string", pattern: "^[a-z0-9-]+\\.svg$" },
      },
    ],
    responses: {
      200: other("The picture", "image/svg+xml"),
      404: json("There is no such picture", "GeneralError"),
      ...faults,
    },
  },
  {
    ...open,
    method: "get",
    path: "/api/openapi.json",
    tag: "Description",
    summary: "This description",
    responses: { 200: json("OpenAPI 3.1", "Description"), ...faults },
  },
  {
    ...open,
    method: "get",
    path: "/",
    tag: "Description",
    summary: "The way to this description",
    responses: { 302: other("To the page", undefined, ["location"]), ...faults },
  },
  {
    ...open,
    method: "get",
    path: "/api/docs",
    tag: "Description",
    summary: "This description, to read",
    responses: { 200: other("The page", PAGE), ...faults },
  },
  {
    ...open,
    method: "get",
    path: "/healthz",
    tag: "State",
    summary: "Whether the process answers",
    responses: { 200: json("It does", "Health"), ...faults },
  },
  {
    ...open,
    method: "get",
    path: "/readyz",
    tag: "State",
    summary: "Whether the service can work",
    responses: {
      200: json("It can", "Health"),
      503: json("The database does not answer", "GeneralError"),
      ...faults,
    },
  },
];
