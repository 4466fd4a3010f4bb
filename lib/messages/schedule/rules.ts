import {
  MESSAGE_LANGUAGES,
  REMINDER_PLACEHOLDERS,
  REMINDER_STEPS,
  SENDING_CHANNELS,
  type MessageLanguage,
  type ReminderStepKind,
  type SendingChannel,
} from "#contract/names.ts";
import type {
  ChangeReminderSchedule,
  PreviewReminders,
  ReminderSchedule,
} from "#contract/reminders.ts";
import { ownNameOf } from "#contract/message-text.ts";
import type { Failure } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { asciiDigits } from "#lib/text/fold-text.ts";
import {
  reminderProblem,
  type ReminderKind,
  type Reminders,
  type SellerLanguage,
} from "../reminders/rules.ts";
import { messageProblem, readMessage } from "../rules.ts";
import type { SendingAbsence } from "../sending/rules.ts";

/** A text in one language as it is typed. */
interface StepText {
  subject: string;
  text: string;
  /** The text for SMS; empty if SMS also uses `text`. */
  sms: string;
}

/** A step as it is typed. */
interface StepValues {
  /** Null for a new step. */
  step_id: number | null;
  kind: ReminderStepKind;
  /** Days before or after, or hours after a checkout was left. */
  count: string;
  /** HH:MM */
  time: string;
  /** Empty for the first channel that reaches the buyer. */
  channel: SendingChannel | "";
  /** Texts by language; languages without one are left out. */
  texts: Record<string, StepText>;
}

/** The schedule as it is typed. */
export interface ScheduleValues {
  is_on: boolean;
  language: MessageLanguage;
  has_quiet_hours: boolean;
  quiet_from: string;
  quiet_to: string;
  /** "1" is Monday. */
  weekdays: string[];
  /** Empty for no limit. */
  most_a_week: string;
  steps: StepValues[];
}

/** The data of the schedule's page. */
export interface ScheduleShown {
  schedule: ReminderSchedule;
  /** The seller's templates, own or default, with which new steps begin. */
  templates: Reminders;
  languages: SellerLanguage[];
  /** Channels by which messages can be sent. */
  channels: SendingChannel[];
}

export type ScheduleResult = ScheduleShown | { absence: SendingAbsence } | { failure: Failure };

export const WEEKDAYS = ["1", "2", "3", "4", "5", "6", "7"] as const;
export const MOST_STEPS = 12;
const NO_TEXT: StepText = { subject: "", text: "", sms: "" };

/** The seller's languages, and those in which a step still has a text. */
export function languagesOf(
  { steps }: Pick<ReminderSchedule, "steps">,
  languages: readonly SellerLanguage[],
): SellerLanguage[] {
  const used = steps.flatMap(({ texts }) => texts.map(({ language }) => language));
  const others = [...new Set(used)].filter((code) =>
    languages.every((one) => one.code !== code),
  );
  return [...languages, ...others.map((code) => ({ code, name: ownNameOf(code) ?? code }))];
}

/** The template with which a new step of each kind begins. */
const TEMPLATES = {
  before: "soon",
  on_day: "soon",
  after: "due",
  last_day: "grace",
  checkout_left: "waiting",
} as const satisfies Record<ReminderStepKind, ReminderKind>;

/** The texts that a step of this kind begins with. */
export function textsOf(
  templates: Reminders,
  kind: ReminderStepKind,
): Record<string, StepText> {
  const all = templates[TEMPLATES[kind]];
  const of = (texts = all.en): StepText =>
    texts.any
      ? { subject: texts.subject || all.en.subject, text: texts.any, sms: texts.sms }
      : NO_TEXT;
  return Object.fromEntries(
    Object.entries(all).map(([language, texts]) => [language, of(texts)]),
  );
}

/** Whether the step still has the texts with which a step of its kind begins. */
export const isTextOfKind = (
  { texts, kind }: Pick<StepValues, "texts" | "kind">,
  templates: Reminders,
): boolean => {
  const own = textsOf(templates, kind);
  const at = (of: Record<string, StepText>, language: string) => of[language] ?? NO_TEXT;
  return Object.keys({ ...own, ...texts }).every((language) =>
    (["subject", "text", "sms"] as const).every(
      (part) => at(texts, language)[part] === at(own, language)[part],
    ),
  );
};

export const newStep = (
  templates: Reminders,
  kind: ReminderStepKind = "before",
  count = "3",
): StepValues => ({
  step_id: null,
  kind,
  count,
  time: kind === "checkout_left" ? "" : "09:00",
  channel: "",
  texts: textsOf(templates, kind),
});

/** The steps that most sellers need. */
export const usualSteps = (templates: Reminders): StepValues[] => [
  newStep(templates, "before", "3"),
  newStep(templates, "on_day", ""),
  newStep(templates, "after", "2"),
  newStep(templates, "last_day", ""),
  newStep(templates, "checkout_left", "2"),
];

export const hasCount = (kind: ReminderStepKind): boolean =>
  kind === "before" || kind === "after" || kind === "checkout_left";

const known = <Name extends string>(names: readonly Name[], text: string) =>
  names.find((name) => name === text);

/** Whether the form can show all of a schedule; a newer service may have other kinds of steps. */
export const isShowable = ({ language, steps }: ReminderSchedule): boolean =>
  known(MESSAGE_LANGUAGES, language) !== undefined &&
  steps.every(
    ({ kind, channel }) =>
      known(REMINDER_STEPS, kind) !== undefined &&
      (channel === null || known(SENDING_CHANNELS, channel) !== undefined),
  );

/** Sort key of a step; the last day of grace comes after all counted days. */
function orderOf({ kind, days, hours, time }: ReminderSchedule["steps"][number]): number {
  if (kind === "checkout_left") return 2_000 + (hours ?? 0);
  const [hour = 0, minute = 0] = (time ?? "0:0").split(":").map(Number);
  const day = kind === "last_day" ? 1_000 : (days ?? 0) * (kind === "before" ? -1 : 1);
  return day + (hour * 60 + minute) / 1_440;
}

/** A showable schedule for the form, its steps in the order of time. */
export function scheduleValues(
  schedule: ReminderSchedule,
  languages: readonly SellerLanguage[],
): ScheduleValues {
  const { quiet_hours, weekdays, most_a_week, steps } = schedule;
  return {
    is_on: schedule.is_on,
    language: known(MESSAGE_LANGUAGES, schedule.language) ?? "en",
    has_quiet_hours: quiet_hours !== null,
    quiet_from: quiet_hours?.from ?? "20:00",
    quiet_to: quiet_hours?.to ?? "08:00",
    weekdays: weekdays.map(String),
    most_a_week: most_a_week === null ? "" : String(most_a_week),
    steps: steps
      .toSorted((one, other) => orderOf(one) - orderOf(other))
      .map(({ id, kind, days, hours, time, channel, texts }) => {
        return {
          step_id: id,
          kind: known(REMINDER_STEPS, kind) ?? "before",
          count: String(days ?? hours ?? ""),
          time: time ?? "",
          channel: known(SENDING_CHANNELS, channel ?? "") ?? "",
          texts: Object.fromEntries(
            languages.map(({ code }) => {
              const found = texts.find(({ language }) => language === code);
              if (!found) return [code, NO_TEXT];
              const { subject, text, sms } = found;
              return [code, { subject, text, sms: sms ?? "" }];
            }),
          ),
        };
      }),
  };
}

const isEmptyText = ({ text, sms }: StepText) => text.trim() === "" && sms.trim() === "";

/** Whole numbers only; NaN for other text. */
const numberIn = (text: string): number => {
  const digits = asciiDigits(text.trim());
  return /^\d{1,4}$/.test(digits) ? Number(digits) : Number.NaN;
};

/** Turns the form's values, which must be valid, into the service's format. */
export const readSchedule = (
  values: ScheduleValues,
): Omit<ChangeReminderSchedule, "version"> => ({
  is_on: values.is_on,
  ...readDraft(values),
});

/** Like readSchedule, for a preview. */
export function readDraft(values: ScheduleValues): PreviewReminders {
  const { has_quiet_hours, quiet_from, quiet_to } = values;
  return {
    language: values.language,
    quiet_hours: has_quiet_hours ? { from: quiet_from, to: quiet_to } : null,
    weekdays: values.weekdays.map(Number).toSorted((one, other) => one - other),
    most_a_week: values.most_a_week.trim() === "" ? null : numberIn(values.most_a_week),
    steps: values.steps.map(({ step_id, kind, count, time, channel, texts }) => ({
      ...(step_id !== null && { id: step_id }),
      kind,
      days: kind === "before" || kind === "after" ? numberIn(count) : null,
      hours: kind === "checkout_left" ? numberIn(count) : null,
      time: kind === "checkout_left" ? null : time,
      channel: channel === "" ? null : channel,
      texts: Object.entries(texts)
        .filter(([, text]) => !isEmptyText(text))
        .map(([language, { subject, text, sms }]) => ({
          language,
          subject: subject.trim(),
          text: readMessage(text),
          sms: sms.trim() === "" ? null : readMessage(sms),
        })),
    })),
  };
}

const LONGEST_SMS = 500;
const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Problems by field, as messages: "steps.0.count". Empty if there are none. */
export function scheduleProblems(values: ScheduleValues): Record<string, string> {
  const problems: Record<string, string> = {};
  const say = (field: string, text: string | null) => {
    if (text !== null) problems[field] ??= text;
  };
  const { weekdays, most_a_week, steps, is_on, has_quiet_hours, quiet_from, quiet_to } = values;
  if (has_quiet_hours) {
    say("quiet_from", TIME.test(quiet_from) ? null : message("reminders.problem.time"));
    say("quiet_to", TIME.test(quiet_to) ? null : message("reminders.problem.time"));
    if (quiet_from === quiet_to) say("quiet_to", message("reminders.problem.allQuiet"));
  }
  if (weekdays.length === 0) say("weekdays", message("reminders.problem.noWeekday"));
  if (most_a_week.trim() !== "" && !isWithin(most_a_week, 100))
    say("most_a_week", message("reminders.problem.number", { most: 100 }));
  if (is_on && steps.length === 0) say("is_on", message("reminders.problem.noStep"));
  const times = new Set<string>();
  for (const [index, step] of steps.entries()) {
    const at = `steps.${index}`;
    const isLeft = step.kind === "checkout_left";
    const most = isLeft ? 720 : 90;
    if (hasCount(step.kind) && !isWithin(step.count, most))
      say(`${at}.count`, message("reminders.problem.number", { most }));
    if (!isLeft && !TIME.test(step.time)) say(`${at}.time`, message("reminders.problem.time"));
    else if (!isLeft && isQuiet(values, step.time))
      say(`${at}.time`, message("reminders.problem.quiet"));
    const when = JSON.stringify([
      step.kind,
      hasCount(step.kind) && numberIn(step.count),
      !isLeft && step.time,
    ]);
    if (times.has(when)) say(`${at}.kind`, message("reminders.problem.twice"));
    times.add(when);
    for (const [language, texts] of Object.entries(step.texts)) {
      const { subject, text, sms } = texts;
      const field = `${at}.texts.${language}`;
      if (language !== values.language && isEmptyText(texts)) continue;
      say(`${field}.text`, messageProblem(readMessage(text), REMINDER_PLACEHOLDERS));
      say(
        `${field}.subject`,
        reminderProblem("subject", subject.trim(), REMINDER_PLACEHOLDERS),
      );
      if (sms.trim() === "") continue;
      say(`${field}.sms`, messageProblem(readMessage(sms), REMINDER_PLACEHOLDERS));
      if (Array.from(sms.trim()).length > LONGEST_SMS)
        say(`${field}.sms`, message("reminders.problem.longSms", { most: LONGEST_SMS }));
    }
  }
  return problems;
}

const isWithin = (text: string, most: number) => {
  const number = numberIn(text);
  return number >= 1 && number <= most;
};

function isQuiet(
  { has_quiet_hours, quiet_from, quiet_to }: ScheduleValues,
  time: string,
): boolean {
  if (!has_quiet_hours) return false;
  return quiet_from < quiet_to
    ? time >= quiet_from && time < quiet_to
    : time >= quiet_from || time < quiet_to;
}

const STEP_PROBLEM = /^(\d+)\.(?:(\w+)(?:\.[\w.]+)?): (.+)$/s;
const STEP_FIELDS: Record<string, string> = {
  days: "count",
  hours: "count",
  count: "count",
  time: "time",
  kind: "kind",
  channel: "channel",
};

/** The service's refusals by the form's fields; those of other fields are left out. */
export function refusedFields(
  failure: Failure,
  { language }: Pick<ScheduleValues, "language">,
): Record<string, string> {
  if (failure.kind !== "validation") return {};
  const found = (failure.fields["steps"] ?? []).flatMap((text) => {
    const [, index, field = "", problem] = STEP_PROBLEM.exec(text) ?? [];
    if (index === undefined || problem === undefined) return [];
    const name = field === "texts" ? `texts.${language}.text` : STEP_FIELDS[field];
    return name === undefined ? [] : [[`steps.${index}.${name}`, problem] as const];
  });
  return Object.fromEntries(found);
}
