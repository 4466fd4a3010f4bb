import "server-only";
import { queryRows } from "#contract/process/database.ts";
import { getLocale, getTranslations } from "next-intl/server";
import type { CorrectionList } from "#contract/customers.ts";
import { auditExport } from "#lib/auth/guards/write-audit.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import type { Mode, Scope } from "#lib/scope.ts";
import { makeFormat } from "#lib/format/format.ts";
import { isSessionStillAllowed } from "#lib/auth/sessions/session.ts";
import { findPaymentClient } from "#lib/billing/account.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { isMissing } from "#lib/failure.ts";
import { csvResponse, tableFile } from "#lib/files/table-file.ts";
import { database, isStorableText, type Database } from "#lib/db/pool.ts";
import { openFile, type FileRequester, type OpenFile } from "#lib/files/file-turns.ts";
import type { Translate } from "#lib/i18n/message.ts";
import type {
  AuditEvent,
  AuditRow,
  FullAuditEvent,
  SeenChange,
  RecordHistory,
} from "./queries.ts";
import {
  auditChangesOf,
  describeAuditEvent,
  describeReason,
  eventSubject,
  matchingActions,
} from "./rules.ts";
import { readSaid, SAID_ACTIONS } from "./said.ts";
import type { AuditSearch } from "./search.ts";

const PAGE = 25;
const HISTORY = 100;
const FILE_STEP = 1_000;

/** The seller and mode whose entries are read; entries without a mode belong to both. */
export interface AuditOwner {
  seller_id: string;
  mode: Mode;
  time_zone: string;
}

interface AuditPage {
  acts: FullAuditEvent[];
  /** The `before` cursor of the next page; null on the last page. */
  next: string | null;
}

interface AuditPerson {
  user_id: string;
  user_name: string | null;
}

/** One page of the audit log, newest first, with every person who has an entry. */
export async function listAuditEntries(
  scope: Scope,
  search: AuditSearch,
): Promise<AuditPage & { people: AuditPerson[] }> {
  const { owner, seller } = await requireSeller(scope, "audit:read");
  const whose = { ...owner, time_zone: seller.time_zone };
  const t = await getTranslations("audit");
  const [acts, people] = await Promise.all([
    selectAuditEntries(database(), t, whose, search, PAGE + 1),
    selectAuditPeople(database(), owner.seller_id),
  ]);
  const next = acts.length > PAGE ? (acts[PAGE - 1]?.id ?? null) : null;
  const shown = acts.slice(0, PAGE);
  const names = await readAuditBuyerNames(database(), owner, shown);
  const named = shown.map((act) => ({
    ...act,
    subject: names.get(act.subscription_id ?? "") ?? null,
  }));
  return { acts: named, next, people };
}

/** @param date formats a day for the reader */
export function auditRowOf(
  t: Translate<"audit">,
  { detail, member_name, subject = null, ...act }: FullAuditEvent,
  date: (iso: string) => string,
): AuditRow {
  const changes = auditChangesOf(t, detail, date);
  const moved = changes.find(({ before }) => before);
  const about = [
    eventSubject({ subject, detail }),
    moved && `${moved.before} → ${moved.after || t("act.nothing")}`,
  ];
  return {
    ...act,
    what: describeAuditEvent(t, { ...act, member_name, detail }),
    about: about.filter((words) => typeof words === "string"),
    reason: describeReason(t, { ...act, detail }),
    changes,
  };
}

/** Buyers' names, or else phones, from the search index, by subscription id. */
export async function readAuditBuyerNames(
  db: Database,
  { seller_id, mode }: KeyOwner,
  acts: readonly Pick<AuditEvent, "subscription_id">[],
): Promise<Map<string, string>> {
  const ids = [...new Set(acts.flatMap(({ subscription_id }) => subscription_id ?? []))];
  const { rows } = await db.query<{ id: string; name: string }>(
    `select id, coalesce(nullif(record->'client'->>'full_name', ''),
                         record->'client'->>'phone', '') as name
       from indexed_subscription
      where seller_id = $1 and mode = $2 and id = any($3)`,
    [seller_id, mode, ids],
  );
  return new Map(rows.filter(({ name }) => name !== "").map(({ id, name }) => [id, name]));
}

/**
 * The history of one subscription, with its texts in the reader's language; without IP addresses, so every role
 * may read it.
 */
export async function readHistory(
  scope: Scope,
  subscription_id: string,
): Promise<RecordHistory> {
  const { owner, seller } = await requireSeller(scope, "history:read");
  if (!isStorableText(subscription_id)) return { acts: [], changes: [] };
  const [t, format, language] = [
    await getTranslations("audit"),
    await getTranslations("format"),
    await getLocale(),
  ];
  const { date } = makeFormat(format, { ...seller, now: new Date().toISOString(), language });
  const words = await getTranslations("leaving");
  const [{ rows }, changes, said] = await Promise.all([
    database().query<AuditEvent>(
      `select id, at, user_name, action, result, subscription_id, member_name, detail
         from audit_log
        where seller_id = $1 and mode = $2 and subscription_id = $3
        order by at desc, id desc limit ${HISTORY}`,
      [owner.seller_id, owner.mode, subscription_id],
    ),
    readSeenChanges(database(), owner, subscription_id),
    readSaid(database(), owner, subscription_id, { t, words, date }),
  ]);
  const acts = rows
    .filter(({ action, result }) => !(result === "done" && SAID_ACTIONS.has(action)))
    .map((act) => {
      const { detail, id, at, user_name, action } = act;
      const told = auditChangesOf(t, detail, date).filter(({ before }) => before !== undefined);
      const [what, reason] = [describeAuditEvent(t, act), describeReason(t, act)];
      return { id, at, user_name, action, what, reason, changes: told };
    });
  return { acts: [...acts, ...said], changes };
}

/**
 * The details that the buyer corrected at the checkout, and when they ordered; empty if the service has
 * no payments API or does not know the subscription.
 */
export async function readCorrections(
  scope: Scope,
  subscription_id: string,
): Promise<CorrectionList> {
  const { owner } = await requireSeller(scope, "history:read");
  const client = await findPaymentClient(owner);
  if (!client) return { ordered_at: null, results: [] };
  try {
    return await client.listCorrections(subscription_id);
  } catch (error) {
    if (isMissing(error)) return { ordered_at: null, results: [] };
    throw error;
  }
}

/** Changes of a subscription's status or billing date that show no payment, newest first. */
export const readSeenChanges = (
  db: Database,
  { seller_id, mode }: KeyOwner,
  subscription_id: string,
) =>
  queryRows<SeenChange>(
    db,
    `select id::text, seen_at as at, old_status, new_status, old_next_billing, new_next_billing
       from subscription_change
      where seller_id = $1 and mode = $2 and subscription_id = $3 and not shows_payment
        and (old_status, old_next_billing) is distinct from (new_status, new_next_billing)
      order by id desc limit ${HISTORY}`,
    [seller_id, mode, subscription_id],
  );

/** All filtered entries as CSV, read in batches so that memory stays constant. */
export async function auditFile(scope: Scope, search: AuditSearch): Promise<Response> {
  const signedIn = await requireSeller(scope, "audit:read");
  const { owner, seller, user, session } = signedIn;
  const { q, before: _place, ...filters } = search;
  // The search text may be a person's name, so the export's audit entry does not keep it.
  const given = Object.entries({ ...filters, words: q === null ? null : "yes" });
  const whose = { ...owner, time_zone: seller.time_zone };
  const t = await getTranslations("audit");
  const asker = {
    seller_id: owner.seller_id,
    user_id: user.id,
    busy: (await getTranslations("export"))("busy"),
    mayGoOn: () => isSessionStillAllowed(database(), session, owner.seller_id, "audit:read"),
  };
  const { body } = await openAuditFile(database(), t, { whose, search, asker }, () =>
    auditExport(signedIn, {
      action: "audit.export",
      detail: Object.fromEntries(given.filter(([, value]) => value !== null)),
    }),
  );
  return csvResponse(`duebook-audit-log-${owner.mode}.csv`, body);
}

interface AuditFile {
  whose: AuditOwner;
  search: AuditSearch;
  asker: FileRequester;
}

/** @param record writes the export to the audit log before the first row is sent */
export const openAuditFile = (
  db: Database,
  t: Translate<"audit">,
  { whose, search, asker }: AuditFile,
  record: () => Promise<void>,
): Promise<OpenFile> =>
  openFile(asker, async (allowed) => {
    await record();
    return {
      source: tableFile({
        columns: COLUMNS.map(([heading, cell]) => ({
          heading,
          read: (act: FullAuditEvent) => cell(act, t),
        })),
        rows: allowed(everyEntry(db, t, whose, search)),
        format: "csv",
      }),
    };
  });

const COLUMNS: [
  heading: string,
  cell: (act: FullAuditEvent, t: Translate<"audit">) => string | null,
][] = [
  ["time", ({ at }) => new Date(at).toISOString()],
  ["person", ({ user_name }) => user_name],
  ["person_id", ({ user_id }) => user_id],
  ["what", (act, t) => describeAuditEvent(t, act)],
  ["action", ({ action }) => action],
  ["result", ({ result }) => result],
  ["reason", (act, t) => describeReason(t, act)],
  ["mode", ({ mode }) => mode],
  ["subscription_id", ({ subscription_id }) => subscription_id],
  ["address", ({ address }) => address],
  ["detail", ({ detail }) => JSON.stringify(detail)],
];

async function* everyEntry(
  db: Database,
  t: Translate<"audit">,
  owner: AuditOwner,
  search: AuditSearch,
) {
  let before: string | null = null;
  do {
    const acts = await selectAuditEntries(db, t, owner, { ...search, before }, FILE_STEP);
    yield acts;
    before = acts.length < FILE_STEP ? null : (acts.at(-1)?.id ?? null);
  } while (before !== null);
}

/**
 * The entries that match the filters, newest first, after the cursor `search.before`. The search text is
 * matched against stored values and against the action labels in the reader's language.
 */
export async function selectAuditEntries(
  db: Database,
  t: Translate<"audit">,
  { seller_id, mode, time_zone }: AuditOwner,
  search: AuditSearch,
  limit: number,
): Promise<FullAuditEvent[]> {
  const terms = search.q?.split(/\s+/).filter(Boolean) ?? [];
  return queryRows<FullAuditEvent>(
    db,
    `select a.id, a.at, a.user_id, a.user_name, u.email as user_email, a.action, a.mode,
            a.subscription_id, a.result, a.detail, a.member_name, a.address
       from audit_log a left join app_user u on u.id = a.user_id
      where a.seller_id = $1 and (a.mode = $2 or a.mode is null)
        and ($3::uuid is null or a.user_id = $3)
        and ($4::text is null or a.action = $4)
        and ($5::text is null or a.result = $5)
        and ($6::text is null or a.subscription_id = $6)
        and ($7::date is null or a.at >= $7::date::timestamp at time zone $9)
        and ($8::date is null or a.at < ($8::date + 1)::timestamp at time zone $9)
        and ($10::bigint is null or (a.at, a.id) <
              (select at, id from audit_log where id = $10 and seller_id = $1))
        and ($11::text[] is null or a.action = any($12) or
              concat_ws(' ', a.action, a.subscription_id, a.user_name, a.member_name, a.address,
                        a.user_id, a.detail) ilike all($11))
      order by a.at desc, a.id desc limit $13`,
    [
      seller_id,
      mode,
      search.person,
      search.action,
      search.result,
      search.subscription,
      search.from,
      search.to,
      time_zone,
      search.before,
      terms.length > 0 ? terms.map((term) => `%${term.replaceAll(/[\\%_]/g, "\\$&")}%`) : null,
      search.q === null ? [] : matchingActions(t, search.q),
      limit,
    ],
  );
}

/** Every person with an entry, with the name in their latest one (a skip scan of the index). */
export const selectAuditPeople = (db: Database, seller_id: string) =>
  queryRows<AuditPerson>(
    db,
    `with recursive person as (
       (select user_id, user_name from audit_log
         where seller_id = $1 order by user_id, at desc, id desc limit 1)
       union all
       select next.* from person, lateral (
         select user_id, user_name from audit_log
          where seller_id = $1 and user_id > person.user_id
          order by user_id, at desc, id desc limit 1) next
     ) select person.user_id, coalesce(person.user_name, u.name) as user_name
         from person left join app_user u on u.id = person.user_id order by 2, 1`,
    [seller_id],
  );
