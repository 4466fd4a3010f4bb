import { PREVIEW_LISTS } from "#contract/sandbox-preview.ts";
import { DELIVERY_STATES } from "#contract/deliveries.ts";
import { EVENT_KINDS } from "#contract/events.ts";
import {
  IDEMPOTENCY_KEY,
  NOT_FOUND,
  NUMBER_ID,
  ok,
  READS_BODY,
  SUBSCRIPTION_ID,
  VERIFIED,
  WRITES,
} from "./api-operations.ts";
import { json, jsonBody, type Operation } from "./operation.ts";
import type { JsonSchema } from "./schemas.ts";
import { BUSY, STATE_OPERATIONS } from "./state-operations.ts";

const tag = "Sandbox";
const NOT_AHEAD = { 400: json("Nothing lies there", "Problem", ["x-api-version"]) };

const REPLACED = {
  409: json("The account's data were replaced meanwhile", "GeneralError", ["x-api-version"]),
};

const query = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: "query" as const,
  required: false,
  description,
  schema,
});
const MOMENT = { type: "string", format: "date-time" };
const NUMBER = { type: "integer", minimum: 1 };
const TARGET = [
  query("to", "A moment; or else `by`", MOMENT),
  query("by", "A span such as P1M; or else `to`", { type: "string", format: "duration" }),
];

export const SANDBOX_OPERATIONS: Operation[] = [
  {
    method: "get",
    path: "/sandbox/clock/",
    tag,
    summary: "Read the account's clock",
    description: "What time it is for this account, and when time next changes something.",
    parameters: [],
    responses: { ...ok("Clock"), ...VERIFIED },
  },
  {
    method: "post",
    path: "/sandbox/clock/advance/",
    tag,
    summary: "Advance the clock",
    description:
      "To a moment, or by a span such as P1M, at most five years ahead. What falls due on the way happens, in order: subscriptions, payments that nobody answers, checkouts that are abandoned.",
    parameters: [],
    requestBody: jsonBody("MoveClock"),
    responses: { ...ok("ClockMove"), ...VERIFIED, ...READS_BODY, ...NOT_AHEAD, ...REPLACED },
  },
  {
    method: "post",
    path: "/sandbox/clock/next/",
    tag,
    summary: "Jump to the next change",
    description:
      "Advances to the moment at which time next changes a subscription, ends a payment or leaves a checkout abandoned.",
    parameters: [],
    responses: { ...ok("ClockMove"), ...VERIFIED, ...READS_BODY, ...NOT_AHEAD, ...REPLACED },
  },
  {
    method: "post",
    path: "/sandbox/clock/reset/",
    tag,
    summary: "Set the clock right again",
    description: "Back to real time. Subscriptions stay as time has left them.",
    parameters: [],
    responses: {
      ...ok("SetClock"),
      ...VERIFIED,
      ...READS_BODY,
      400: json("The body is not readable", "GeneralError", ["x-api-version"]),
    },
  },
  {
    method: "get",
    path: "/sandbox/forecast/",
    tag,
    summary: "See what an advance would do",
    description:
      "Every change of a subscription, every payment that ends unanswered and every abandoned checkout, with their events, up to a moment or within a span, as an advance would make them. Time stays where it is.",
    parameters: [
      ...TARGET,
      query("page", "Which page of the steps", NUMBER),
      query("page_size", "Steps on a page", { ...NUMBER, maximum: 1_000, default: 1_000 }),
    ],
    responses: { ...ok("TimeSpan"), ...VERIFIED, ...NOT_AHEAD },
  },
  {
    method: "get",
    path: "/sandbox/preview/",
    tag,
    summary: "See how the account will stand",
    description:
      "At a moment or after a span, if nobody pays until then: how many in each status, what is owed and lost, who is due and who has ended. Time stays where it is.",
    parameters: [
      ...TARGET,
      query("list", "Which subscriptions", {
        type: "string",
        enum: [...PREVIEW_LISTS],
        default: "due",
      }),
      query("page", "Which page of them", NUMBER),
      query("page_size", "Rows on a page", { ...NUMBER, maximum: 100, default: 20 }),
    ],
    responses: { ...ok("DeskPreview"), ...VERIFIED, ...NOT_AHEAD },
  },
  {
    method: "get",
    path: "/sandbox/subscriptions/{id}/next/",
    tag,
    summary: "See what time next does to a subscription",
    description:
      "`others` is how many other changes time makes until then; where more than 1,000 subscriptions change, each counts once.",
    parameters: [SUBSCRIPTION_ID],
    responses: { ...ok("NextEvent"), ...VERIFIED, ...NOT_FOUND },
  },
  {
    method: "get",
    path: "/sandbox/deliveries/",
    tag,
    summary: "List deliveries",
    description: "Newest first; `next` is the address of the page after.",
    parameters: [
      query("state", "Only in this state", { type: "string", enum: [...DELIVERY_STATES] }),
      query("skipped", "Whether those that were never sent are among them", {
        type: "boolean",
        default: true,
      }),
      query("event", "Only of this event", { type: "string", enum: [...EVENT_KINDS] }),
      query("webhook_id", "Only of this registration", NUMBER),
      query("subscription_id", "Only about this subscription", {
        type: "string",
        format: "uuid",
      }),
      query("created_from", "Only since then", MOMENT),
      query("created_to", "Only until then", MOMENT),
      query("before", "Only those older than this delivery", NUMBER),
      query("page_size", "Rows on a page", { ...NUMBER, maximum: 100, default: 20 }),
    ],
    responses: {
      ...ok("DeliveryPage"),
      ...VERIFIED,
      400: json("A filter is not readable", "FieldErrors", ["x-api-version"]),
    },
  },
  {
    method: "get",
    path: "/sandbox/deliveries/{id}/",
    tag,
    summary: "Get a delivery",
    description:
      "With its body and every attempt: request, response and timing. Kept for a while after it ended, and then not found.",
    parameters: [NUMBER_ID],
    responses: { ...ok("Delivery"), ...VERIFIED, ...NOT_FOUND },
  },
  {
    method: "post",
    path: "/sandbox/deliveries/{id}/resend/",
    tag,
    summary: "Send a delivery once more",
    parameters: [NUMBER_ID, IDEMPOTENCY_KEY],
    responses: { ...ok("Message"), ...WRITES, ...NOT_FOUND },
  },
  {
    method: "post",
    path: "/sandbox/deliveries/recover/",
    tag,
    summary: "Send what a registration missed since a moment",
    parameters: [IDEMPOTENCY_KEY],
    requestBody: jsonBody("RecoverDeliveries"),
    responses: { ...ok("Recovered"), ...WRITES, ...NOT_FOUND },
  },
  {
    method: "post",
    path: "/sandbox/webhooks/{id}/example/",
    tag,
    summary: "Send an example of an event",
    parameters: [NUMBER_ID, IDEMPOTENCY_KEY],
    requestBody: jsonBody("SendExample"),
    responses: {
      201: json("On its way", "SentExample", ["x-api-version"]),
      ...WRITES,
      ...NOT_FOUND,
    },
  },
  {
    method: "get",
    path: "/sandbox/webhooks/notices/",
    tag,
    summary: "Read why registrations were switched off",
    description:
      "The newest hundred: an endpoint answered 410, or nothing but failures for five days.",
    parameters: [],
    responses: { ...ok("NoticeList"), ...VERIFIED },
  },
  {
    method: "post",
    path: "/sandbox/webhooks/{id}/rotate-secret/",
    tag,
    summary: "Rotate a signing secret",
    description:
      "The new secret is in a header of this answer. The old one signs too for a day.",
    parameters: [NUMBER_ID, IDEMPOTENCY_KEY],
    responses: {
      200: json("Rotated", "Message", ["x-api-version", "x-webhook-secret"]),
      ...WRITES,
      ...NOT_FOUND,
    },
  },
  {
    method: "post",
    path: "/sandbox/subscriptions/{id}/pay/",
    tag,
    summary: "Simulate a payment",
    description:
      "Pays as a buyer would at the checkout, without the code, and ends as `outcome` says: the same payment, the same events. For a subscription that waits for its first payment, that is due, or that runs and is paid ahead.",
    parameters: [SUBSCRIPTION_ID, IDEMPOTENCY_KEY],
    requestBody: jsonBody("SimulatePayment"),
    responses: {
      ...ok("SimulatedPayment"),
      ...WRITES,
      ...NOT_FOUND,
      400: json("Not accepted, or nothing is owed", "Problem", ["x-api-version"]),
    },
  },
  {
    method: "get",
    path: "/sandbox/scenarios/",
    tag,
    summary: "List scenarios",
    parameters: [],
    responses: { ...ok("ScenarioList"), ...VERIFIED },
  },
  {
    method: "post",
    path: "/sandbox/scenarios/",
    tag,
    summary: "Begin a scenario",
    description:
      "Replaces the account's subscriptions, customers, events and deliveries, and sets its clock right. Products and registrations stay.",
    parameters: [IDEMPOTENCY_KEY],
    requestBody: jsonBody("StartScenario"),
    responses: { ...ok("Replaced"), ...WRITES, ...BUSY },
  },
  {
    method: "post",
    path: "/sandbox/reset/",
    tag,
    summary: "Begin the scenario again",
    description: "Back to its start, or to an empty account where none was begun.",
    parameters: [IDEMPOTENCY_KEY],
    responses: { ...ok("Replaced"), ...WRITES, ...BUSY },
  },
  ...STATE_OPERATIONS,
];
