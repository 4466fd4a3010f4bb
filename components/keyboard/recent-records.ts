import { recallDraft, saveDraft } from "#components/forms/draft-memory.ts";
import type { Scope } from "#lib/scope.ts";
import type { Customer } from "#contract/customers.ts";
import type { ListedSubscription } from "#lib/subscriptions/queries.ts";
import type { Product } from "#contract/products.ts";

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

/** The records that this person opened in this tab, newest first. Stored like drafts. */
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
  subscription: /^\/subscriptions\/(?!new$|bulk$|import$)[^/]+$/,
  customer: /^\/customers\/(?!of$)[^/]+$/,
  product: /^\/products\/[^/]+$/,
};

const KINDS = Object.keys(PATHS) as RecordKind[];

/** The kind of record that a page shows. @param path within the seller and mode */
export function kindOfRecordAt(path: string): RecordKind | null {
  return KINDS.find((kind) => PATHS[kind].test(path)) ?? null;
}

export function describeSubscription({
  subscription_id: id,
  client,
  product,
}: ListedSubscription): RecentRecord {
  const note = [product.name, product.plan_name, product.label].filter(Boolean).join(" · ");
  return { kind: "subscription", id, title: client.full_name || client.phone || id, note };
}

export function describeCustomer({ id, full_name, buyer_phone }: Customer): RecentRecord {
  const title = full_name || buyer_phone || String(id);
  return {
    kind: "customer",
    id: String(id),
    title,
    note: title === full_name ? buyer_phone : "",
  };
}

export function describeProduct({
  product_id: id,
  name,
  plan,
}: Pick<Product, "product_id" | "name" | "plan">): RecentRecord {
  const note = plan.map(({ plan_name }) => plan_name).join(" · ");
  return { kind: "product", id, title: name || id, note };
}
