import type { FastifyInstance } from "fastify";
import { HandedMessage, HandOverMessage } from "#contract/messages.ts";
import type { ServiceContext } from "../context.ts";
import { writeRoute } from "../http/write.ts";
import { handOver } from "./handed.ts";

/** The routes by which another program hands over reminders that it planned itself. */
export function handOverRoutes(api: FastifyInstance, context: ServiceContext) {
  const { now } = context;

  api.post(
    "/messages/",
    writeRoute<object, HandOverMessage, HandedMessage>(context, {
      summary: "Hand over a reminder",
      description:
        "For reminders about subscriptions of another service, which the caller plans. It is queued once for its cause; one that expired before it was sent is queued again. Opt-outs, quiet hours and the limit a week of this account's schedule count, and nothing goes while the schedule is off. `{stop}` in a text stands for the address that ends the reminders; without it the address is added.",
      answer: HandedMessage,
      schema: HandOverMessage,
      work: ({ database, seller }, message) =>
        handOver(database, { seller, now: now() }, message),
    }),
  );
}
