import * as z from "zod";
import { FIELD_MESSAGES } from "./field-messages.ts";
import { LanguageTag } from "./messages.ts";
import {
  MESSAGE_LANGUAGES,
  MOST_LANGUAGES,
  OPT_OUT_WAYS,
  PLANNED_STATES,
  REMINDER_PLACEHOLDERS,
  REMINDER_STEPS,
  SENDING_CHANNELS,
} from "./names.ts";
import { SubscriptionId } from "./subscriptions.ts";
import {
  anyText,
  defineSentAndReceived,
  PageSize,
  required,
  textBlock,
  textLine,
  type WireTypes,
} from "./wire.ts";

const step = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    kind: wire.oneOf(REMINDER_STEPS),
    /** Days before or after the billing date; null for other kinds. */
    days: wire.nullable(wire.integer),
    /** Hours after a checkout was left; null for other kinds. */
    hours: wire.nullable(wire.integer),
    /** HH:MM in the seller's zone; null for a checkout that was left. */
    time: wire.nullable(wire.text),
    /** Null for the first channel that reaches the buyer. */
    channel: wire.nullable(wire.oneOf(SENDING_CHANNELS)),
    /** When the step was added, moved or switched on, by the seller's clock. */
    since: wire.datetime,
    texts: wire.list(
      wire.object({
        language: wire.text,
        subject: wire.text,
        text: wire.text,
        /** Sent by SMS instead of the text; null to send the text. */
        sms: wire.nullable(wire.text),
      }),
    ),
  });

export const [ReminderSchedule, ReceivedReminderSchedule] = defineSentAndReceived((wire) =>
  wire.object({
    is_on: wire.boolean,
    /** Time of the seller's clock; null while the schedule is off. */
    on_since: wire.nullable(wire.datetime),
    time_zone: wire.text,
    language: wire.oneOf(MESSAGE_LANGUAGES),
    quiet_hours: wire.nullable(wire.object({ from: wire.text, to: wire.text })),
    /** 1 is Monday. */
    weekdays: wire.list(wire.integer),
    most_a_week: wire.nullable(wire.integer),
    steps: wire.list(step(wire)),
    /** Null until a schedule was saved. */
    version: wire.nullable(wire.id),
  }),
);
export type ReminderSchedule = z.output<typeof ReminderSchedule>;

const MARK = /\{([^{}]*)\}/g;
const KNOWN = new Set<string>(REMINDER_PLACEHOLDERS);
const ALL = REMINDER_PLACEHOLDERS.map((name) => `{${name}}`).join(", ");

const hasKnownPlaceholders = (text: string, context: z.RefinementCtx) => {
  for (const [mark, name = ""] of text.matchAll(MARK))
    if (!KNOWN.has(name))
      context.addIssue({
        code: "custom",
        message: `There is no placeholder ${mark}. Use one of ${ALL}.`,
      });
};

const reminderText = (limit: number) =>
  textBlock(limit)
    .refine((text) => text.includes("{link}"), {
      error: "Add {link}, the address at which the buyer pays.",
    })
    .superRefine(hasKnownPlaceholders);

const Language = z.enum(MESSAGE_LANGUAGES, `Use one of ${MESSAGE_LANGUAGES.join(", ")}.`);
const LocalTime = z
  .string(required("Send a time such as 09:00."))
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Send a time such as 09:00.");
const whole = (least: number, most: number) => {
  const words = `Send a whole number, ${least} to ${most}.`;
  return z.int(words).min(least, words).max(most, words);
};

const Texts = z
  .array(
    z.strictObject({
      language: LanguageTag,
      subject: textLine(150).superRefine(hasKnownPlaceholders),
      text: reminderText(1_000),
      sms: reminderText(500).nullable().default(null),
    }),
  )
  .min(1, "Add a text.")
  .max(MOST_LANGUAGES, `Use at most ${MOST_LANGUAGES} languages.`)
  .refine((texts) => new Set(texts.map(({ language }) => language)).size === texts.length, {
    error: "Use one text for each language.",
  });

const Step = z
  .strictObject({
    /** The id of the step that this one replaces; left out for a new one. */
    id: z.int().positive().optional(),
    kind: z.enum(REMINDER_STEPS, `Use one of ${REMINDER_STEPS.join(", ")}.`),
    days: whole(1, 90).nullable().default(null),
    hours: whole(1, 720).nullable().default(null),
    time: LocalTime.nullable().default(null),
    channel: z
      .enum(SENDING_CHANNELS, `Use one of ${SENDING_CHANNELS.join(", ")}.`)
      .nullable()
      .default(null),
    texts: Texts,
  })
  .superRefine(({ kind, days, hours, time }, context) => {
    const says = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    const hasDays = kind === "before" || kind === "after";
    const isLeft = kind === "checkout_left";
    if (hasDays !== (days !== null))
      says("days", hasDays ? FIELD_MESSAGES.required : "This kind of step takes no days.");
    if (isLeft !== (hours !== null))
      says("hours", isLeft ? FIELD_MESSAGES.required : "This kind of step takes no hours.");
    if (isLeft === (time !== null))
      says("time", isLeft ? "This kind of step takes no time." : FIELD_MESSAGES.required);
  });
export type ReminderStepInput = z.output<typeof Step>;

const scheduleInput = {
  language: Language.optional(),
  quiet_hours: z
    .strictObject({ from: LocalTime, to: LocalTime })
    .refine(({ from, to }) => from !== to, {
      error: "Leave hours in which messages can be sent.",
    })
    .nullable()
    .optional(),
  weekdays: z.array(whole(1, 7)).min(1, "Choose a weekday.").max(7).optional(),
  most_a_week: whole(1, 100).nullable().optional(),
  /** All steps, in order; a step that is left out is removed. */
  steps: z.array(Step).max(12, "Use at most 12 steps.").optional(),
};

/** Body of PATCH /account/v1/reminders/schedule/; omitted fields stay unchanged. */
export const ChangeReminderSchedule = z.strictObject({
  version: z.guid("Send the version that you read.").nullable(),
  is_on: z.boolean().optional(),
  ...scheduleInput,
});
export type ChangeReminderSchedule = z.output<typeof ChangeReminderSchedule>;

/**
 * Body of POST /account/v1/reminders/preview/: a draft; omitted fields are those of the stored
 * schedule.
 */
export const PreviewReminders = z.strictObject(scheduleInput);
export type PreviewReminders = z.output<typeof PreviewReminders>;

export const [ReminderPreview, ReceivedReminderPreview] = defineSentAndReceived((wire) =>
  wire.object({
    results: wire.list(
      wire.object({
        /** The step's position, from 0. */
        step: wire.integer,
        subscription_id: wire.id,
        full_name: wire.text,
        /** When the message would be sent, if nothing changes. */
        at: wire.datetime,
        /** Null if no channel reaches the buyer. */
        channel: wire.nullable(wire.oneOf(SENDING_CHANNELS)),
        to: wire.text,
        language: wire.text,
        /** The buyer's language, if the step has no text in it; null otherwise. */
        asked_language: wire.nullable(wire.text),
        subject: wire.text,
        text: wire.text,
        /** Number of SMS that the text needs. */
        parts: wire.integer,
        currency: wire.text,
        amount: wire.decimal,
      }),
    ),
  }),
);
export type ReminderPreview = z.output<typeof ReminderPreview>;

export const [PlannedReminders, ReceivedPlannedReminders] = defineSentAndReceived((wire) =>
  wire.object({
    day: wire.date,
    is_on: wire.boolean,
    /** How many reminders are sent or were sent that day; held and withdrawn ones do not count. */
    count: wire.integer,
    held: wire.integer,
    /** The value of `after` for the next page; null on the last one. */
    next_after: wire.nullable(wire.text),
    results: wire.list(
      wire.object({
        step_id: wire.number_id,
        subscription_id: wire.id,
        full_name: wire.text,
        at: wire.datetime,
        channel: wire.nullable(wire.oneOf(SENDING_CHANNELS)),
        to: wire.text,
        state: wire.oneOf(PLANNED_STATES),
        /** Why the reminder was not sent. */
        error: wire.nullable(wire.text),
        error_code: wire.nullable(wire.text),
        hold_id: wire.nullable(wire.number_id),
        message_id: wire.nullable(wire.id),
      }),
    ),
  }),
);
export type PlannedReminders = z.output<typeof PlannedReminders>;

const Day = z.iso.date("Send a date such as 2027-01-31.");

/** The query of GET /account/v1/reminders/planned/. */
export const PlannedQuery = z.object({
  day: Day.optional(),
  after: z
    .string()
    .regex(
      /^\d{1,15}_-?\d{1,13}_[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/,
      "Send the value of next_after from the previous page.",
    )
    .optional(),
  page_size: PageSize,
});

/**
 * Body of POST /account/v1/reminders/holds/: holds all reminders until a day, or one step in this
 * period.
 */
export const HoldReminders = z
  .strictObject({
    subscription_id: SubscriptionId,
    until: Day.optional(),
    step_id: z.int().positive().optional(),
    /** Whether the hold ends as soon as the billing date moves, as after a payment. */
    only_this_period: z.boolean().default(false),
  })
  .refine(({ until, step_id }) => (until === undefined) !== (step_id === undefined), {
    error: "Send either until or step_id.",
    path: ["until"],
  });
export type HoldReminders = z.output<typeof HoldReminders>;

const hold = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    subscription_id: wire.id,
    /** The first day on which reminders are sent again; null if one step is held. */
    until: wire.nullable(wire.date),
    step_id: wire.nullable(wire.number_id),
    /** Whether the hold ends as soon as the billing date moves. */
    only_this_period: wire.boolean,
    created_at: wire.datetime,
  });
export const [ReminderHold, ReceivedReminderHold] = defineSentAndReceived(hold);
export type ReminderHold = z.output<typeof ReminderHold>;
export const [ReminderHoldList, ReceivedReminderHoldList] = defineSentAndReceived((wire) =>
  wire.object({ results: wire.list(hold(wire)) }),
);
export type ReminderHoldList = z.output<typeof ReminderHoldList>;

/** The query of GET /account/v1/reminders/holds/. */
export const HoldQuery = z.object({ subscription_id: SubscriptionId });

/** Body of POST /account/v1/reminders/send/. */
export const SendReminder = z.strictObject({
  subscription_id: SubscriptionId,
  step_id: z.int().positive(),
});
export type SendReminder = z.output<typeof SendReminder>;

const optOut = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    phone: wire.text,
    email: wire.text,
    opted_out_at: wire.datetime,
    /** Null for an opt-out from before its way was recorded. */
    how: wire.nullable(wire.oneOf(OPT_OUT_WAYS)),
    /** The note of the member who recorded it. */
    reason: wire.nullable(wire.text),
  });
export const [OptOut, ReceivedOptOut] = defineSentAndReceived(optOut);
export type OptOut = z.output<typeof OptOut>;
export const [OptOutPage, ReceivedOptOutPage] = defineSentAndReceived((wire) =>
  wire.object({ next: wire.nullable(wire.text), results: wire.list(optOut(wire)) }),
);
export type OptOutPage = z.output<typeof OptOutPage>;

/** The query of GET /account/v1/reminders/opt-outs/. */
export const OptOutQuery = z.object({
  before: z.coerce.number().int().positive().optional(),
  page_size: PageSize,
});

/** Body of POST /account/v1/reminders/opt-outs/find/: a POST, so that no URL names a person. */
export const FindOptOuts = z.strictObject({
  /**
   * Phone numbers and mail addresses, or parts of them; opt-outs that match any of them are found.
   */
  words: z.array(anyText(254).min(1)).min(1, "Send a phone number or a mail address.").max(5),
});
export type FindOptOuts = z.output<typeof FindOptOuts>;

/** Body of POST /account/v1/reminders/opt-outs/. */
export const AddOptOut = z
  .strictObject({
    phone: anyText(40).default(""),
    email: anyText(254).default(""),
    reason: textLine(200),
  })
  .refine(({ phone, email }) => /\d/.test(phone) || email.includes("@"), {
    error: "Send a phone number or a mail address.",
    path: ["phone"],
  });
export type AddOptOut = z.output<typeof AddOptOut>;

/** The query of GET /account/v1/reminders/results/. */
export const ResultsQuery = z.object({ from: Day });

export const [ScheduleResults, ReceivedScheduleResults] = defineSentAndReceived((wire) =>
  wire.object({
    from: wire.date,
    channels: wire.list(
      wire.object({
        /** Null for messages that no channel took. */
        channel: wire.nullable(wire.oneOf(SENDING_CHANNELS)),
        /** Messages that a provider accepted or may have accepted, including those that arrived. */
        sent: wire.integer,
        delivered: wire.integer,
        read: wire.integer,
        failed: wire.integer,
      }),
    ),
    /**
     * Cases in which the buyer was reminded: all reminders of a subscription between two payments
     * are one case.
     */
    reminded: wire.integer,
    /** Cases in which a payment came later, whatever its cause. */
    paid: wire.integer,
    paid_within: wire.list(
      wire.object({
        days: wire.integer,
        paid: wire.integer,
        /** Cases that began at least that many days ago. */
        of: wire.integer,
      }),
    ),
  }),
);
export type ScheduleResults = z.output<typeof ScheduleResults>;
