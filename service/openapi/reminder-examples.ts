import { EXAMPLE_TIME } from "./example-shop.ts";

const SUBSCRIPTION_ID = "3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1";
const MESSAGE_ID = "8f6f2f0e-6d0e-4a53-9a0b-6d3f4c1e7a22";
const VERSION = "0f6f5a60-6b0e-4d52-8b0c-3f2f4a1c9e55";

const texts = [
  {
    language: "en",
    subject: "{product} renews on {date}",
    text: "Hello {name},\n{product} renews on {date}. You can pay {amount} here:\n{link}\n{seller}",
    sms: "{product} renews on {date}. Pay {amount}: {link}",
  },
];
const step = { kind: "before", days: 3, hours: null, time: "09:00", channel: null, texts };
const quiet_hours = { from: "20:00", to: "08:00" };

const ReminderHold = {
  id: 4,
  subscription_id: SUBSCRIPTION_ID,
  until: "2026-03-14",
  step_id: null,
  only_this_period: true,
  created_at: EXAMPLE_TIME,
};
const OptOut = {
  id: 9,
  phone: "9800000001",
  email: "asmita@example.com",
  opted_out_at: EXAMPLE_TIME,
};

/** Examples of the account API's schedule of reminders. */
export const REMINDER_EXAMPLES = {
  ReminderSchedule: {
    is_on: true,
    on_since: EXAMPLE_TIME,
    time_zone: "Asia/Kathmandu",
    language: "en",
    quiet_hours,
    weekdays: [1, 2, 3, 4, 5, 7],
    most_a_week: 3,
    steps: [{ id: 1, ...step }],
    version: VERSION,
  },
  ChangeReminderSchedule: { version: VERSION, is_on: true, quiet_hours, steps: [step] },
  PreviewReminders: { steps: [step] },
  ReminderPreview: {
    results: [
      {
        step: 0,
        subscription_id: SUBSCRIPTION_ID,
        full_name: "Asmita Rai",
        at: EXAMPLE_TIME,
        channel: "sms",
        to: "9800000001",
        language: "en",
        subject: "Fresh Milk renews on 13 March 2026",
        text: "Fresh Milk renews on 13 March 2026. Pay NPR 1,130.00: https://billing.example/pay/3f0c2b7e-9a41-4d6c-8e15-7b2d90c4a6f1\nNo more reminders: https://billing.example/stop/3q2-7wAAAAAAAAAAAAAAAA",
        parts: 2,
        currency: "NPR",
        amount: "1130.00",
      },
    ],
  },
  PlannedReminders: {
    day: "2026-03-10",
    is_on: true,
    count: 1,
    results: [
      {
        step_id: 1,
        subscription_id: SUBSCRIPTION_ID,
        full_name: "Asmita Rai",
        at: EXAMPLE_TIME,
        channel: "sms",
        to: "9800000001",
        state: "delivered",
        error: null,
        hold_id: null,
        message_id: MESSAGE_ID,
      },
    ],
  },
  HoldReminders: { subscription_id: SUBSCRIPTION_ID, until: ReminderHold.until },
  ReminderHold,
  ReminderHoldList: { results: [ReminderHold] },
  ReminderResults: {
    from: "2026-03-01",
    channels: [{ channel: "sms", sent: 12, delivered: 11, read: 0, failed: 1 }],
    reminded: 9,
    paid: 6,
    paid_within: [
      { days: 1, paid: 3, of: 9 },
      { days: 3, paid: 5, of: 8 },
      { days: 7, paid: 5, of: 6 },
    ],
  },
  SendReminder: { subscription_id: SUBSCRIPTION_ID, step_id: 1 },
  OptOut,
  OptOutPage: { next: null, results: [OptOut] },
};

/** Descriptions of their properties, as in `field-descriptions.ts`. */
export const REMINDER_DESCRIPTIONS: Record<string, string> = {
  is_on: "Whether reminders go by the schedule.",
  on_since: "Since when, by the account's clock; null while it is off.",
  quiet_hours: "Local times between which no reminder goes; null without.",
  "quiet_hours.from": "The local time from which it is quiet, HH:MM.",
  "quiet_hours.to": "The local time from which reminders go again, HH:MM.",
  weekdays: "The weekdays on which reminders go; 1 is Monday.",
  most_a_week: "Most reminders to one buyer in seven days; null without a limit.",
  "ReminderSchedule.language": "For buyers of whom no other language is known.",
  "ChangeReminderSchedule.language": "For buyers of whom no other language is known.",
  "PreviewReminders.language": "For buyers of whom no other language is known.",
  "ReminderPreview.language": "The language of the text.",
  "ReminderSchedule.steps": "The steps, in order.",
  "ChangeReminderSchedule.steps": "All steps, in order; one that is left out is removed.",
  "PreviewReminders.steps": "All steps, in order; one that is left out is removed.",
  "steps.id": "The step's number; in a change, the one of the step to keep.",
  "steps.kind": "By what its time is counted.",
  days: "Days before or after the billing date; null for other kinds.",
  hours: "Hours after a checkout was left; null for other kinds.",
  time: "The local time, HH:MM; null for a checkout that was left.",
  "steps.channel": "The only channel to use; null for the first that reaches the buyer.",
  texts: "What it says, one entry a language.",
  "texts.language": "The language.",
  "texts.subject": "The subject by mail, with placeholders.",
  "texts.text":
    "The text, with placeholders: {name}, {product}, {plan}, {seller}, {amount}, {date}, {days}, {link}, {pay_to}, {stop}.",
  "texts.sms": "The text by SMS; null to send the other one.",
  "ReminderPreview.results": "The next buyers of each step.",
  step: "The step's position, from 0.",
  "ReminderPreview.at": "When it would go, if nothing changes.",
  "ReminderPreview.channel": "By what it would go; null if no channel reaches the buyer.",
  "ReminderPreview.to": "The phone number or mail address.",
  "ReminderPreview.subject": "The subject by mail.",
  "ReminderPreview.text": "The text as the buyer would get it.",
  parts: "Number of SMS that the text needs.",
  "ReminderPreview.amount": "What the checkout will ask then, as decimal text.",
  day: "The day, in the account's zone.",
  "PlannedReminders.is_on": "Whether reminders go by the schedule.",
  "PlannedReminders.count":
    "How many go out that day, or went; without held and withdrawn ones.",
  "PlannedReminders.results": "At most the first 100.",
  step_id: "The step's number; null if all steps are held.",
  "SendReminder.step_id": "The step's number.",
  "PlannedReminders.step_id": "The step's number.",
  "PlannedReminders.at": "When it goes, or went.",
  "PlannedReminders.channel": "By what it goes; null if no channel reaches the buyer.",
  "PlannedReminders.to": "The phone number or mail address.",
  "PlannedReminders.state": "Whether it is planned or held, or what became of its message.",
  "PlannedReminders.error": "Why it was not sent; null without a reason.",
  hold_id: "The hold that keeps it from going; null without one.",
  message_id: "The message; null before it is queued.",
  until: "The first day on which reminders go again; null if one step is held.",
  "HoldReminders.until": "The first day on which reminders go again; or else `step_id`.",
  "HoldReminders.step_id": "The one step to hold in the current period; or else `until`.",
  "ReminderResults.from": "The first day, in the account's zone.",
  channels: "What was sent, by channel.",
  "ReminderResults.channel": "The channel; null for what none took.",
  sent: "Reminders that a provider took, or may have taken, with those that arrived.",
  delivered: "Reminders that arrived, as far as providers report it.",
  read: "Reminders that were opened, as far as providers report it.",
  "channels.failed": "Reminders that were not sent.",
  reminded: "Cases: all reminders of a subscription between two payments are one.",
  "ReminderResults.paid": "Cases in which a payment came later, whatever caused it.",
  paid_within: "Payments within some days after the last reminder of a case.",
  "paid_within.days": "The number of days.",
  "paid_within.paid": "Cases in which a payment came within those days.",
  "paid_within.of": "Cases for which that many days have passed.",
  "ReminderHold.id": "The hold's number.",
  only_this_period:
    "Whether the hold ends as soon as the billing date moves, as after a payment.",
  "ReminderHoldList.results": "The holds, newest first.",
  "OptOut.id": "The recipient's number.",
  choice: "Whether reminders stop, which is the default, or go again.",
  opted_out_at: "When the recipient asked for it.",
};
