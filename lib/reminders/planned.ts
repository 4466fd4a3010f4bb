import "server-only";
import { REMINDER_REFUSALS, REMINDER_WITHDRAWALS } from "#contract/field-messages.ts";
import type { PlannedState, SendingChannel } from "#contract/names.ts";
import type { SentMessage } from "#contract/messages.ts";
import { dayIn, localDate } from "#contract/process/local-day.ts";
import {
  PLANNED_PAGE_SIZE,
  readPlannedPage,
  type PlannedPart,
  type PlannedPlace,
} from "#contract/process/planned-page.ts";
import {
  isAllowed,
  offsetOf,
  runMoment,
  runsToCome,
  type ReminderStep,
  type Run,
} from "#contract/process/reminder-calendar.ts";
import type { PlannedReminders, SendReminder } from "#contract/reminders.ts";
import type { MessageClient } from "#lib/billing/message-client.ts";
import { readIndexedSubscription } from "#lib/collection/subscription-cycle.ts";
import { AppError } from "#lib/failure.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import { readNewest } from "./follow.ts";
import { beginRound, readTimes, remind, type Planning } from "./hand-over.ts";
import { readOptedOut } from "./opted-out.ts";
import {
  holdPlanned,
  releasePlanned,
  selectSettled,
  selectToCome,
  type SettledRow,
} from "./planned-store.ts";
import { channelFor } from "./preview.ts";
import type { Due } from "./store.ts";

interface PlanningHere extends Planning {
  messages: Planning["messages"] & Pick<MessageClient, "listChannels" | "listOptOuts">;
}

type Row = PlannedReminders["results"][number];

const REASONS: Record<string, keyof typeof REMINDER_WITHDRAWALS> = {
  opted_out: "opted_out",
  limit: "limit",
  settled: "settled",
};

type Part = PlannedPart<{ row: Row }>;
type Page = [after: Pick<PlannedPlace, "moment" | "id"> | null, limit: number];

/** The reminders that this dashboard hands over today: planned, handed over and held. */
export async function plannedHere(
  planning: PlanningHere,
  after: PlannedPlace | null = null,
): Promise<PlannedReminders> {
  const { db, owner, messages, now } = planning;
  const at = now();
  const [schedule, { results: channels }, sent] = await Promise.all([
    messages.readSchedule(),
    messages.listChannels(),
    readNewest(planning),
  ]);
  const { time_zone } = schedule;
  const today = localDate(at, time_zone);
  const day = today.toString();
  const read = await readTimes(planning, schedule);
  const isReady = (await readIndexStatus(db, owner)).state === "ready";
  const runs =
    schedule.is_on && isReady
      ? runsToCome(read.times, read.place, { day: today, now: at })
      : [];
  const opted_out =
    runs.length > 0 ? await readOptedOut(messages, time_zone) : { phone_keys: [], emails: [] };

  const readSettled = async (...page: Page): Promise<Part> => {
    const { rows, ...counts } = await selectSettled(db, owner, dayIn(day, time_zone), ...page);
    return {
      ...counts,
      rows: rows.map(({ moment, row_id, ...row }) => ({
        moment,
        id: row_id,
        row: settledRow(row, sent),
      })),
    };
  };
  const readRun = async (run: Run, ...page: Page): Promise<Part> => {
    const wanted = { today: day, opted_out };
    const { rows, ...counts } = await selectToCome(db, owner, run, wanted, ...page);
    return {
      ...counts,
      rows: rows.map(({ moment, is_held, hold_id, ...buyer }) => {
        const { phone, email, subscription_id } = buyer;
        const channel = channelFor(buyer, run.step.channel, channels);
        const row: Row = {
          step_id: run.step.step_id,
          subscription_id,
          full_name: buyer.full_name,
          at: runMoment(read.times, read.place, run, { moment, now: at }).toISOString(),
          channel,
          to: channel === "email" || phone === "" ? email : phone,
          state: is_held ? "held" : "planned",
          error: null,
          error_code: null,
          hold_id,
          message_id: null,
        };
        return { moment, id: subscription_id, row };
      }),
    };
  };
  const { results, ...found } = await readPlannedPage(
    [
      { section: 0, read: readSettled },
      ...runs
        .toSorted((one, other) => one.at.getTime() - other.at.getTime())
        .map((run) => ({
          section: run.step.step_id,
          read: (...page: Page) => readRun(run, ...page),
        })),
    ],
    { after, size: PLANNED_PAGE_SIZE },
  );
  return { day, is_on: schedule.is_on, ...found, results: results.map(({ row }) => row) };
}

function settledRow(
  { full_name, phone, email, outcome, ...row }: Omit<SettledRow, "moment" | "row_id">,
  sent: SentMessage[],
): Row {
  const message = sent.find(({ id }) => id === row.message_id);
  const reason = row.message_id === null ? REASONS[outcome] : undefined;
  return {
    step_id: row.step_id,
    subscription_id: row.subscription_id,
    full_name,
    at: row.at.toISOString(),
    channel: row.channel as SendingChannel | null,
    to: row.channel === "email" || phone === "" ? email : phone,
    state: stateOf(row.state, reason !== undefined),
    error: message?.error ?? (reason ? REMINDER_WITHDRAWALS[reason] : null),
    error_code: message?.error_code ?? reason ?? null,
    hold_id: null,
    message_id: row.message_id,
  };
}

/** A queued message counts as being sent, because the dashboard can no longer hold it. */
function stateOf(state: string | null, isWithdrawn: boolean): PlannedState {
  if (isWithdrawn) return "withdrawn";
  return state === null || state === "queued" ? "sending" : (state as PlannedState);
}

const refusal = (detail: string) => new AppError({ kind: "conflict", detail });

/** @throws AppError `not_found` for an unknown step or subscription */
async function requireDue(
  { db, owner }: Planning,
  steps: readonly ReminderStep[],
  { subscription_id, step_id }: SendReminder,
): Promise<{ step: ReminderStep; due: Due }> {
  const step = steps.find((one) => one.step_id === step_id);
  const subscription = await readIndexedSubscription(db, owner, subscription_id);
  const moment =
    step?.kind === "checkout_left"
      ? subscription?.created_at
      : subscription?.next_billing_cycle;
  if (!step || !moment) throw new AppError({ kind: "not_found" });
  return { step, due: { subscription_id, step_id, moment: new Date(moment) } };
}

/**
 * @throws AppError `conflict` if the reminder was handed over or withdrawn already, `not_found` for an
 * unknown step or subscription
 */
export async function holdHere(planning: PlanningHere, reminder: SendReminder): Promise<void> {
  const { db, owner, messages, now } = planning;
  const { times } = await readTimes(planning, await messages.readSchedule());
  const { due } = await requireDue(planning, times.steps, reminder);
  if (!(await holdPlanned(db, owner, due, now()))) throw refusal(REMINDER_REFUSALS.sent);
}

/** @throws AppError `not_found` if the hold ended already */
export async function releaseHere({ db, owner }: Planning, hold_id: number): Promise<void> {
  if (!(await releasePlanned(db, owner, hold_id))) throw new AppError({ kind: "not_found" });
}

/** @throws AppError `conflict` with the reason why the reminder cannot be sent now */
export async function sendHere(planning: PlanningHere, reminder: SendReminder): Promise<void> {
  const { messages, now } = planning;
  const schedule = await messages.readSchedule();
  if (!schedule.is_on) throw refusal(REMINDER_REFUSALS.switched_off);
  const read = await readTimes(planning, schedule);
  const { step, due } = await requireDue(planning, read.times.steps, reminder);
  const at = now();
  const { time_zone, grace_days } = read.place;
  const isEarly =
    (offsetOf(step, grace_days) ?? 0) > 0 &&
    Temporal.PlainDate.compare(localDate(at, time_zone), localDate(due.moment, time_zone)) <= 0;
  if (isEarly) throw refusal(REMINDER_REFUSALS.unfit);
  if (!isAllowed(read.times, time_zone, at)) throw refusal(REMINDER_REFUSALS.quiet);
  const round = await beginRound(planning, schedule, read);
  const { outcome, message } = await remind(round, step, due);
  switch (outcome) {
    case "queued":
      return;
    case "known":
      if (message?.state !== "queued") throw refusal(REMINDER_REFUSALS.sent);
      return;
    case "off":
      throw refusal(REMINDER_REFUSALS.switched_off);
    case "unreachable":
      throw refusal(REMINDER_REFUSALS.unreachable);
    case "held":
    case "opted_out":
    case "limit":
      throw refusal(REMINDER_WITHDRAWALS[outcome]);
    case "unread":
      throw new AppError({ kind: "unexpected" });
    case "settled":
    case "without_link":
      throw refusal(REMINDER_REFUSALS.unfit);
  }
}
