import { ok, READS_BODY, VERIFIED } from "./api-operations.ts";
import { json, jsonBody, type Operation } from "./operation.ts";

const tag = "Sandbox";
const NOT_AHEAD = { 400: json("Nothing lies there", "Problem", ["x-api-version"]) };

const query = (name: "to" | "by", description: string, format: string) => ({
  name,
  in: "query" as const,
  required: false,
  description,
  schema: { type: "string", format },
});

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
      "To a moment, or by a span such as P1M, at most five years ahead. What falls due on the way happens, in order.",
    parameters: [],
    requestBody: jsonBody("MoveClock"),
    responses: { ...ok("TimeSpan"), ...VERIFIED, ...READS_BODY, ...NOT_AHEAD },
  },
  {
    method: "post",
    path: "/sandbox/clock/next/",
    tag,
    summary: "Jump to the next change",
    description: "Advances to the moment at which time next changes a subscription.",
    parameters: [],
    responses: { ...ok("TimeSpan"), ...VERIFIED, ...READS_BODY, ...NOT_AHEAD },
  },
  {
    method: "post",
    path: "/sandbox/clock/reset/",
    tag,
    summary: "Set the clock right again",
    description: "Back to real time. Subscriptions stay as time has left them.",
    parameters: [],
    responses: {
      ...ok("Clock"),
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
      "Every change and event up to a moment or within a span, as an advance would make them. Changes nothing.",
    parameters: [
      query("to", "A moment; or else `by`", "date-time"),
      query("by", "A span such as P1M; or else `to`", "duration"),
    ],
    responses: { ...ok("TimeSpan"), ...VERIFIED, ...NOT_AHEAD },
  },
];
