import { recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import type { Scope } from "#lib/scope.ts";

export type RecordKind = "subscription" | "customer" | "product";

export interface RecentRecord {
  kind: RecordKind;
  id: string;
  title: string;
  note: string;
}

const MOST = 8;

const keyOf = (person: string, { seller, mode }: Scope) => ({
  person,
  form: `recent.${seller}.${mode}`,
});

/** What this person opened in this tab, the newest first. Kept and forgotten as drafts are. */
export function readRecent(person: string, scope: Scope): RecentRecord[] {
  const kept = recallDraft<{ records: RecentRecord[] }>(keyOf(person, scope));
  return kept?.content.records ?? [];
}

export function addRecent(person: string, scope: Scope, record: RecentRecord): void {
  const others = readRecent(person, scope).filter(
    ({ kind, id }) => kind !== record.kind || id !== record.id,
  );
  saveDraft(keyOf(person, scope), { records: [record, ...others].slice(0, MOST) });
}

const PATHS: Record<RecordKind, RegExp> = {
  subscription: /^\/subscriptions\/(?!new$|bulk$)[^/]+$/,
  customer: /^\/customers\/(?!of$)[^/]+$/,
  product: /^\/products\/[^/]+$/,
};

const KINDS = Object.keys(PATHS) as RecordKind[];

/** The kind of record that a page shows. @param path within the seller and mode */
export function kindOfRecordAt(path: string): RecordKind | null {
  return KINDS.find((kind) => PATHS[kind].test(path)) ?? null;
}
