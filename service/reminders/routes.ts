import type { FastifyInstance } from "fastify";
import {
  ChangeReminderSchedule,
  HoldQuery,
  HoldReminders,
  PlannedQuery,
  PlannedReminders,
  PreviewReminders,
  ReminderHold,
  ReminderHoldList,
  ReminderPreview,
  ScheduleResults,
  ReminderSchedule,
  ResultsQuery,
  SendReminder,
} from "#contract/reminders.ts";
import {
  BuyerLanguage,
  BuyerLanguageQuery,
  SetBuyerLanguage,
  SentMessage,
} from "#contract/messages.ts";
import { changedMeanwhileError } from "../account/version.ts";
import type { ServiceContext } from "../context.ts";
import { sellerOf } from "../http/authenticate.ts";
import { notFoundError } from "../http/errors.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { filteredRoute } from "../http/read.ts";
import { parseBody, writeRoute } from "../http/write.ts";
import { lockSeller, sellerNow } from "../sellers/store.ts";
import { plannedPlace } from "#contract/process/planned-page.ts";
import { localDate } from "#contract/process/local-day.ts";
import { sinceOf } from "#contract/process/reminder-calendar.ts";
import { holdReminders, removeHold, selectHolds } from "./hold-store.ts";
import { plannedReminders } from "./planned.ts";
import { previewReminders } from "./preview.ts";
import { reminderResults } from "./results.ts";
import { requireScheduleThatWorks } from "./schedule-rules.ts";
import {
  changedSchedule,
  emptySchedule,
  saveSchedule,
  selectSchedule,
  type Schedule,
} from "./schedule-store.ts";
import { selectBuyerLanguage } from "./text.ts";
import { sendReminderNow } from "./send-now.ts";
import type { Seller } from "../sellers/store.ts";
import type { Database } from "../db/database.ts";

/** The seller's schedule of reminders, what it plans, its results, holds and buyers' languages. */
export function reminderRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;
  const read = async (database: Database, seller: Seller): Promise<Schedule> =>
    (await selectSchedule(database, seller.seller_id)) ?? emptySchedule(seller, now());

  api.get(
    "/reminders/schedule/",
    withRouteDoc({
      summary: "Get the schedule of reminders",
      description:
        "An account has one schedule; until it is saved, the answer is an empty one that is off.",
      answer: ReminderSchedule,
    }),
    async (request) => presentSchedule(await read(pool, sellerOf(request)), sellerOf(request)),
  );

  api.patch(
    "/reminders/schedule/",
    writeRoute(context, {
      summary: "Change the schedule of reminders",
      description:
        "Omitted fields stay unchanged; `steps` replaces all steps. No reminder is sent for periods or times before the schedule was switched on, or the step was added or moved.",
      answer: ReminderSchedule,
      refusals: { 409: "It was changed in the meantime; this request changed nothing" },
      schema: ChangeReminderSchedule,
      work: async ({ database, seller }, { version, ...change }) => {
        await lockSeller(database, seller.seller_id);
        const schedule = changedSchedule(await read(database, seller), change, seller, now());
        requireScheduleThatWorks(schedule);
        if (!(await saveSchedule(database, schedule, version)))
          throw changedMeanwhileError("The schedule");
        return presentSchedule(await read(database, seller), seller);
      },
    }),
  );

  api.post(
    "/reminders/preview/",
    withRouteDoc({
      summary: "Preview reminders",
      description:
        "The buyers whom each step would remind next, with the text as it would be sent. The body is a draft of the schedule; nothing is changed.",
      answer: ReminderPreview,
      body: PreviewReminders,
      refusals: { 400: { text: "The draft is not valid", schema: "Problem" } },
    }),
    async (request) => {
      const seller = sellerOf(request);
      const draft = parseBody(PreviewReminders, request.body);
      const schedule = changedSchedule(await read(pool, seller), draft, seller, now());
      requireScheduleThatWorks(schedule);
      return previewReminders(pool, { schedule, seller, now: now(), publicUrl });
    },
  );

  api.get(
    "/reminders/planned/",
    filteredRoute({
      summary: "List the reminders of a day",
      description:
        "The reminders that are planned, sent or held on a day; of later days, as far as is known today.",
      filters: PlannedQuery,
      meanings: {
        day: "The day in the account's zone; today if left out",
        after: "The value of `next_after` on the previous page",
        page_size: "Rows per page",
      },
      answer: PlannedReminders,
      read: async (parsed, request) => {
        const seller = sellerOf(request);
        const moment = sellerNow(seller, now());
        const day = parsed.day ?? localDate(moment, seller.time_zone).toString();
        const schedule = await read(pool, seller);
        const limit = { now: now(), most: context.messagesPerHour ?? 0 };
        const page = { after: plannedPlace(parsed.after), size: parsed.page_size };
        return plannedReminders(pool, { schedule, seller, day, now: moment, page, limit });
      },
    }),
  );

  api.get(
    "/reminders/results/",
    filteredRoute({
      summary: "Get the results of reminders",
      description:
        "What was sent and delivered since a day, and how many buyers paid within some days after the last reminder. That does not mean that they paid because of it.",
      filters: ResultsQuery,
      meanings: { from: "The first day, in the account's zone" },
      answer: ScheduleResults,
      read: async (parsed, request) => {
        const seller = sellerOf(request);
        const moment = sellerNow(seller, now());
        return reminderResults(pool, { seller, from: parsed.from, now: moment });
      },
    }),
  );

  api.post(
    "/reminders/send/",
    writeRoute<object, SendReminder, SentMessage>(context, {
      summary: "Send a reminder now",
      description:
        "Sends one step to one buyer before its time; it is not sent again at its time. Quiet hours, opt-outs, holds and the weekly limit apply.",
      status: 201,
      success: "Queued",
      answer: SentMessage,
      refusals: {
        400: { text: "The reminder is not sent; the answer says why", schema: "Problem" },
        404: "The account has no such subscription or step",
      },
      schema: SendReminder,
      work: ({ database, seller }, wanted) =>
        sendReminderNow(database, { seller, now: now(), ...wanted }),
    }),
  );

  api.get(
    "/reminders/holds/",
    filteredRoute({
      summary: "List the holds of a subscription",
      description: "Newest first, at most 100; also those whose day has passed.",
      filters: HoldQuery,
      meanings: { subscription_id: "The subscription's id" },
      answer: ReminderHoldList,
      read: async ({ subscription_id }, request) => {
        const { seller_id } = sellerOf(request);
        return { results: await selectHolds(pool, seller_id, subscription_id) };
      },
    }),
  );

  api.post(
    "/reminders/holds/",
    writeRoute<object, HoldReminders, ReminderHold>(context, {
      summary: "Hold reminders",
      description:
        "Holds all reminders of a subscription until a day, such as one after a promise, or one step in its current period. A new day replaces the last one.",
      status: 201,
      success: "Held",
      answer: ReminderHold,
      refusals: { 404: "The account has no such subscription or step" },
      schema: HoldReminders,
      work: async ({ database, seller: { seller_id }, clock }, wanted) => {
        const hold = await holdReminders(database, seller_id, wanted, clock());
        if (!hold) throw notFoundError();
        return hold;
      },
    }),
  );

  api.get(
    "/reminders/languages/",
    filteredRoute({
      filters: BuyerLanguageQuery,
      summary: "Get a buyer's language",
      description:
        "The language that the buyer chose on their page, or a member chose for them; null if none was chosen.",
      meanings: {
        customer_id: "The customer's number; in place of subscription_id",
        subscription_id: "A subscription of the buyer; in place of customer_id",
      },
      answer: BuyerLanguage,
      refusals: { 404: "The account has no such customer or subscription" },
      read: async (query, request) => {
        const found = await selectBuyerLanguage(pool, sellerOf(request).seller_id, query);
        if (!found) throw notFoundError();
        return found;
      },
    }),
  );

  api.post(
    "/reminders/languages/",
    writeRoute<object, SetBuyerLanguage, BuyerLanguage>(context, {
      summary: "Choose a buyer's language",
      description:
        "For reminders; a step without a text in this language is sent in the schedule's language.",
      answer: BuyerLanguage,
      refusals: { 404: "The account has no such customer" },
      schema: SetBuyerLanguage,
      work: async ({ database, seller: { seller_id } }, { customer_id, language }) => {
        const { rowCount } = await database.query(
          "update customer set language = $3 where seller_id = $1 and id = $2",
          [seller_id, customer_id, language],
        );
        if (rowCount === 0) throw notFoundError();
        return { customer_id, language };
      },
    }),
  );

  api.post(
    "/reminders/holds/:id/remove/",
    writeRoute<{ id: string }, undefined, ReminderHold>(context, {
      summary: "Remove a hold of reminders",
      answer: ReminderHold,
      work: async ({ database, seller: { seller_id } }, _, { params }) => {
        const hold = await removeHold(database, seller_id, numberOf(params.id));
        if (!hold) throw notFoundError();
        return hold;
      },
    }),
  );
}

/** @throws 404 for a text that is no number */
export function numberOf(id: string): number {
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFoundError();
  return Number(id);
}

function presentSchedule(schedule: Schedule, seller: Seller): ReminderSchedule {
  const { quiet_from, quiet_to, steps } = schedule;
  return {
    is_on: schedule.is_on,
    on_since: schedule.is_on ? sinceOf(schedule, seller).toISOString() : null,
    time_zone: seller.time_zone,
    language: schedule.language,
    quiet_hours:
      quiet_from === null || quiet_to === null ? null : { from: quiet_from, to: quiet_to },
    weekdays: schedule.weekdays,
    most_a_week: schedule.most_a_week,
    steps: steps.map(({ step_id, kind, days, hours, at_time, channel, texts, ...since }) => ({
      id: step_id,
      kind,
      days,
      hours,
      time: at_time,
      channel,
      since: sinceOf(since, seller).toISOString(),
      texts,
    })),
    version: schedule.version,
  };
}
