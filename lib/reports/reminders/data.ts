import "server-only";
import { getTranslations } from "next-intl/server";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { can } from "#lib/auth/permissions.ts";
import { requireSeller, type SignedIn } from "#lib/auth/guards/require-seller.ts";
import type { Scope } from "#lib/scope.ts";
import { findMessageClient, isMessagesOnly } from "#lib/billing/message-account.ts";
import { serviceNow } from "#lib/billing/service-clock.ts";
import { AppError, isMissing } from "#lib/failure.ts";
import { addDays } from "#lib/format/calendar.ts";
import { dayInZone } from "#lib/format/format.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import { csvFile, csvResponse } from "#lib/files/table-file.ts";
import { database } from "#lib/db/pool.ts";
import { readIndexStatus } from "#lib/search-index/query/index-status.ts";
import type {
  ReminderResults,
  ReminderResultsAnswer,
  ResultDays,
  SentResultsAnswer,
} from "./queries.ts";
import { PAYMENT_WINDOWS, type OutcomeGroup } from "./rules.ts";
import { readPaidAfter, readReminderResults } from "./store.ts";

export async function getReminderResults(
  scope: Scope,
  days: ResultDays,
): Promise<ReminderResultsAnswer> {
  return answer(await requireSeller(scope, "subscriptions:read"), days);
}

/**
 * The tables as CSV; the export is written to the audit log first.
 * @throws AppError `conflict` without an index
 */
export async function exportReminderResults(scope: Scope, days: ResultDays): Promise<Response> {
  const signedIn = await requireSeller(scope, "reports:read");
  const t = await getTranslations("reminding");
  const read = await answer(signedIn, days);
  if (read.state !== "ready")
    throw new AppError({ kind: "conflict", detail: t("withoutCopy") });
  const { results } = read;
  const { from, to } = results;
  await auditExport(signedIn, {
    action: "figures.export",
    detail: { figure: "reminders", from, to },
  });
  const whole = (key: string, outcomes: ReminderResults["reminded"]) => [
    { key, name: "", outcomes },
  ];
  const groups: Record<string, OutcomeGroup[]> = {
    all: [...whole("reminded", results.reminded), ...whole("not_reminded", results.unreminded)],
    channel: results.channels,
    reminders: results.counts,
    colleague: results.people ?? [],
  };
  const head = ["group", "name", "buyers", "paid", "median_days"];
  const shares = PAYMENT_WINDOWS.flatMap((within) => [
    `paid_within_${within}`,
    `of_within_${within}`,
  ]);
  const lines = Object.entries(groups).flatMap(([group, rows]) =>
    rows.map(({ key, name, outcomes }) => [
      group,
      name || key,
      String(outcomes.count),
      String(outcomes.paid),
      outcomes.median_days === null ? null : String(outcomes.median_days),
      ...PAYMENT_WINDOWS.flatMap((within) => {
        const { paid, of } = outcomes.within[within];
        // Without buyers there is no share.
        return of === 0 ? [null, null] : [String(paid), String(of)];
      }),
    ]),
  );
  const body = csvFile([...head, ...shares], lines);
  return csvResponse(`duebook-reminders-${scope.mode}-${from}-${to}.csv`, body);
}

async function answer(
  { owner, seller, role, now }: SignedIn,
  days: ResultDays,
): Promise<ReminderResultsAnswer> {
  const db = database();
  const copy = await readIndexStatus(db, owner);
  if (copy.state !== "ready") return copy;
  const { time_zone } = seller;
  const question = { days, time_zone, now, until: copy.as_of };
  const results = await readReminderResults(db, owner, question);
  // Results by member are shown only to those who may read reports.
  const people = can(role, "reports:read") ? results.people : null;
  return { ...copy, results: { ...results, people } };
}

/**
 * The results of the messages sent by the schedule, from the service. For subscriptions of another
 * service, the search index says which were paid.
 */
export async function getSentResults(
  scope: Scope,
  days: ResultDays,
): Promise<SentResultsAnswer> {
  const signedIn = await requireSeller(scope, "subscriptions:read");
  const { owner } = signedIn;
  const { time_zone } = signedIn.seller;
  const client = await findMessageClient(owner);
  if (!client) return { sent: null };
  const today = dayInZone(await serviceNow(signedIn), time_zone);
  try {
    const sent = await client.readResults(addDays(today, 1 - days));
    const db = database();
    if (!(await isMessagesOnly(db, owner))) return { sent };
    const copy = await readIndexStatus(db, owner);
    if (copy.state !== "ready") return { sent: { ...sent, paid_within: [] } };
    const since = zonedMoment(sent.from, time_zone) ?? signedIn.now;
    return {
      sent: { ...sent, ...(await readPaidAfter(db, owner, { since, until: copy.as_of })) },
    };
  } catch (error) {
    if (isMissing(error)) return { sent: null };
    throw error;
  }
}
