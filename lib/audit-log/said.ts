import "server-only";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import type { Database } from "#lib/db/pool.ts";
import type { Translate } from "#lib/i18n/message.ts";
import { describeGoodwillReason } from "#lib/money/goodwill-reasons.ts";
import { describeLeaveReason } from "#lib/money/leave-reasons.ts";
import type { RecordAct } from "./queries.ts";

const MOST = 100;

/** A promise, a goodwill extension, a waived amount or a reason to leave, as a member noted it. */
interface Said {
  id: string;
  at: Date;
  person_name: string;
  kind: "promise" | "courtesy" | "waive" | "leave";
  detail: Partial<Record<"promised_for" | "reason" | "text" | "owed", string | null>>;
}

/** Actions whose audit entry leaves out details that the contact has. */
export const SAID_ACTIONS = new Set(["collection.promise", "subscription.waive"]);

interface Writer {
  t: Translate<"audit">;
  words: Translate<"leaving">;
  date: (day: string) => string;
}

export async function readSaid(
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
  writer: Writer,
): Promise<RecordAct[]> {
  const { rows } = await db.query<Said>(
    `select id, coalesce(clock_at, at) as at, person_name, kind, detail from contact
      where seller_id = $1 and mode = $2 and subscription_id = $3 and undone_at is null
        and kind in ('promise', 'courtesy', 'waive', 'leave')
      order by id desc limit ${MOST}`,
    [seller_id, mode, subscription_id],
  );
  return rows.map((row) => describeSaid(writer, row)).filter((act) => act !== null);
}

/** @returns null for a cancellation without a reason, which has its own entry */
function describeSaid(
  { t, words, date }: Writer,
  { id, at, person_name, kind, detail }: Said,
): RecordAct | null {
  const { promised_for, reason, text, owed } = detail;
  const named =
    reason &&
    (kind === "leave" ? describeLeaveReason(words, reason) : describeGoodwillReason(t, reason));
  const why = [named, text].filter(Boolean).join(": ");
  if (kind === "leave" && why === "") return null;
  const said =
    kind === "promise"
      ? promised_for
        ? words("history.promise", { day: date(promised_for) })
        : words("history.noPromise")
      : kind === "courtesy"
        ? words(owed === "kept" || owed === "forgiven" ? `history.${owed}` : "history.goodwill")
        : words(`history.${kind}`);
  return {
    id: `said ${id}`,
    at: at.toISOString(),
    user_name: person_name,
    action: kind === "promise" ? "collection.promise" : `subscription.${kind}`,
    what: said,
    reason: why || null,
    changes: [],
  };
}
