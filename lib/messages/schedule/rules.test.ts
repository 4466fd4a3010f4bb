import { expect, test } from "vitest";
import { DEFAULT_REMINDERS, OUR_LANGUAGES } from "../reminders/rules.ts";
import {
  languagesOf,
  newStep,
  readSchedule,
  refusedFields,
  scheduleProblems,
  scheduleValues,
  usualSteps,
  type ScheduleValues,
} from "./rules.ts";

const EMPTY: ScheduleValues = {
  is_on: false,
  language: "en",
  has_quiet_hours: true,
  quiet_from: "20:00",
  quiet_to: "08:00",
  weekdays: ["1", "2"],
  most_a_week: "3",
  steps: [],
};

const withSteps = (...steps: ScheduleValues["steps"]): ScheduleValues => ({ ...EMPTY, steps });
const step = newStep(DEFAULT_REMINDERS);
const blank = { subject: "", text: "", sms: "" };
const { en = blank, ne = blank } = step.texts;

test("the default steps of a schedule are valid, and stored steps are shown in the order of time", () => {
  const typed = withSteps(...usualSteps(DEFAULT_REMINDERS));
  expect(scheduleProblems(typed)).toEqual({});
  const { steps = [], ...rest } = readSchedule(typed);
  const stored = steps.map((one, index) => ({
    ...one,
    id: index + 1,
    since: "2026-11-01T00:00:00Z",
  }));
  const shown = scheduleValues(
    {
      ...rest,
      is_on: true,
      on_since: null,
      time_zone: "Asia/Kathmandu",
      language: "en",
      quiet_hours: { from: "20:00", to: "08:00" },
      weekdays: [1, 2],
      most_a_week: null,
      version: null,
      steps: stored.toReversed(),
    },
    OUR_LANGUAGES,
  );
  expect(shown.steps.map(({ kind }) => kind)).toEqual([
    "before",
    "on_day",
    "after",
    "last_day",
    "checkout_left",
  ]);
  expect(shown.steps[0]).toEqual({ ...typed.steps[0], step_id: 1 });
});

test.each([
  ["0 days", { count: "0" }, "steps.0.count"],
  ["91 days", { count: "91" }, "steps.0.count"],
  ["words for days", { count: "three" }, "steps.0.count"],
  ["no time", { time: "" }, "steps.0.time"],
  ["a time in the quiet hours", { time: "20:00" }, "steps.0.time"],
] as const)("a schedule step with %s is refused", (_, change, field) => {
  expect(Object.keys(scheduleProblems(withSteps({ ...step, ...change })))).toEqual([field]);
});

test("the days of a schedule step may be typed in Nepali digits", () => {
  const typed = withSteps({ ...step, count: "३" });
  expect(scheduleProblems(typed)).toEqual({});
  expect(readSchedule(typed).steps?.[0]?.days).toBe(3);
});

test("two steps at one time, an active schedule without steps, and a schedule without weekdays are refused", () => {
  expect(Object.keys(scheduleProblems(withSteps(step, step)))).toEqual(["steps.1.kind"]);
  expect(Object.keys(scheduleProblems({ ...EMPTY, is_on: true }))).toEqual(["is_on"]);
  expect(Object.keys(scheduleProblems({ ...EMPTY, weekdays: [] }))).toEqual(["weekdays"]);
});

test("a text in the seller's usual language is required, and other languages may stay empty", () => {
  const missing = withSteps({ ...step, texts: { en: blank, ne } });
  expect(Object.keys(scheduleProblems(missing))).toEqual([
    "steps.0.texts.en.text",
    "steps.0.texts.en.subject",
  ]);
  const one = withSteps({ ...step, texts: { en: { ...en, sms: " " }, ne: blank } });
  expect(scheduleProblems(one)).toEqual({});
  expect(readSchedule(one).steps?.[0]?.texts).toMatchObject([{ language: "en", sms: null }]);
});

test("a reminder text may use only the placeholders of the service, and must contain the link", () => {
  const text = (words: string) =>
    scheduleProblems(
      withSteps({
        ...step,
        texts: { ...step.texts, en: { ...en, text: words } },
      }),
    );
  expect(text("Pay {amount} at {link} or {pay_to}. {stop}")).toEqual({});
  expect(text("Pay {sum} at {link}")).toHaveProperty(["steps.0.texts.en.text"]);
  expect(text("Pay {amount}")).toHaveProperty(["steps.0.texts.en.text"]);
});

test("a validation message of the service is shown at the matching field of the schedule", () => {
  const steps = ["1.time: This time lies in the quiet hours.", "0.texts.1.text: Too long."];
  const refused = { kind: "validation", fields: { steps }, detail: null } as const;
  expect(refusedFields(refused, { language: "ne" })).toEqual({
    "steps.1.time": "This time lies in the quiet hours.",
    "steps.0.texts.ne.text": "Too long.",
  });
});

test("a step keeps its text in a language that the seller added, even after the language was removed", () => {
  const mai = { subject: "{product}", text: "मैथिली {link}", sms: "" };
  const typed = withSteps({ ...step, texts: { en, ne: blank, mai } });
  expect(scheduleProblems(typed)).toEqual({});
  const { steps = [], ...rest } = readSchedule(typed);
  expect(steps[0]?.texts.map(({ language }) => language)).toEqual(["en", "mai"]);
  const stored = {
    ...rest,
    is_on: false,
    on_since: null,
    time_zone: "Asia/Kathmandu",
    language: "en",
    quiet_hours: null,
    weekdays: [1],
    most_a_week: null,
    version: null,
    steps: steps.map((one) => ({ ...one, id: 1, since: "2026-11-01T00:00:00Z" })),
  };
  const languages = languagesOf(stored, OUR_LANGUAGES);
  expect(languages.at(-1)).toEqual({ code: "mai", name: "मैथिली" });
  expect(scheduleValues(stored, languages).steps[0]?.texts).toEqual({ en, ne: blank, mai });
  const wrong = withSteps({ ...step, texts: { en, mai: { ...mai, text: "{sum}" } } });
  expect(scheduleProblems(wrong)).toHaveProperty(["steps.0.texts.mai.text"]);
});
