import type { BillLink } from "../checkout/store.ts";
import type { CodesOfOne, SentCode } from "../checkout/codes.ts";
import type { MessageLanguage, PaymentMethod } from "#contract/names.ts";
import { queryRow, queryRows, queryValue, type Database } from "../db/database.ts";
import { SAME_RECIPIENT } from "../reminders/recipients.ts";
import { selectSubscriptionSql, type SubscriptionRow } from "../subscriptions/store.ts";

/** The contact that a code proves: a phone number or a mail address; the other one is empty. */
export interface Proven {
  seller_id: number;
  /** The number in the form by which buyers are matched. */
  phone_key: string;
  /** Lower case. */
  email: string;
}

/** A buyer's request for a code, and the session that begins once they enter it. */
export interface SignIn extends Proven, SentCode {
  sign_in_id: string;
}

const SIGN_IN = `select sign_in_id, seller_id, phone_key, email, code_hash, wrong_codes, state,
  created_at, expires_at from buyer_sign_in`;

/** Matches the seller too: a request's id opens nothing at another seller. */
export const selectSignIn = (database: Database, sellerId: number, id: string) =>
  queryRow<SignIn>(database, `${SIGN_IN} where seller_id = $1 and sign_in_id = $2`, [
    sellerId,
    id,
  ]);

/** Locks the sign-in until the transaction ends, so that simultaneous tries are all counted. */
export const lockSignIn = (database: Database, sellerId: number, id: string) =>
  queryRow<SignIn>(database, `${SIGN_IN} where seller_id = $1 and sign_in_id = $2 for update`, [
    sellerId,
    id,
  ]);

/** Makes requests for codes at a seller run one after the other, so that they are counted. */
export const lockSignIns = (database: Database, sellerId: number) =>
  database.query("select pg_advisory_xact_lock(72, ($1::bigint % 2147483647)::int)", [
    sellerId,
  ]);

/** Requests for codes in the last hour, and whether one was made just now and is unused. */
export async function countSignIns(
  database: Database,
  { seller_id, phone_key, email, network }: Proven & { network: string },
  { hourAgo, justNow }: { hourAgo: Date; justNow: Date },
): Promise<CodesOfOne & { ofSeller: number; hasUnusedNew: boolean }> {
  const counted = await queryRow<CodesOfOne & { ofSeller: number; hasUnusedNew: boolean }>(
    database,
    `select count(*)::int as "ofSeller",
       (count(*) filter (where phone_key = $2 and email = $3))::int as "ofAll",
       (count(*) filter (where phone_key = $2 and email = $3 and network = $6))::int as "ofNetwork",
       coalesce(bool_or(created_at > $5 and state in ('open', 'spent'))
         filter (where phone_key = $2 and email = $3), false) as "hasUnusedNew"
     from buyer_sign_in where seller_id = $1 and created_at > $4`,
    [seller_id, phone_key, email, hourAgo, justNow, network],
  );
  return counted ?? { ofSeller: 0, ofAll: 0, ofNetwork: 0, hasUnusedNew: false };
}

export const insertSignIn = (
  database: Database,
  {
    sign_in_id,
    seller_id,
    phone_key,
    email,
    network,
    ...code
  }: Omit<SignIn, "state" | "wrong_codes"> & { network: string },
) =>
  database.query(
    `insert into buyer_sign_in
       (sign_in_id, seller_id, phone_key, email, network, code_hash, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      sign_in_id,
      seller_id,
      phone_key,
      email,
      network,
      code.code_hash,
      code.created_at,
      code.expires_at,
    ],
  );

/**
 * Deletes sign-ins that expired before a time, so that numbers the seller may not know are not kept.
 * @returns how many
 */
export async function deleteEndedSignIns(
  database: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const { rowCount } = await database.query(
    `delete from buyer_sign_in where (seller_id, sign_in_id) in (
       select seller_id, sign_in_id from buyer_sign_in where expires_at < $1 limit $2)`,
    [before, limit],
  );
  return rowCount ?? 0;
}

export const updateSignIn = (
  database: Database,
  { seller_id, sign_in_id }: Pick<SignIn, "seller_id" | "sign_in_id">,
  { wrong_codes, state, expires_at }: Pick<SignIn, "wrong_codes" | "state" | "expires_at">,
) =>
  database.query(
    `update buyer_sign_in set wrong_codes = $2, state = $3, expires_at = $4
     where seller_id = $5 and sign_in_id = $1`,
    [sign_in_id, wrong_codes, state, expires_at, seller_id],
  );

/** The channels by which the seller can send codes. */
export const selectWays = (database: Database, sellerId: number) =>
  queryRow<{ phone: boolean; email: boolean }>(
    database,
    `select coalesce(bool_or(channel <> 'email'), false) as phone,
       coalesce(bool_or(channel = 'email'), false) as email
     from message_channel where seller_id = $1 and is_active`,
    [sellerId],
  );

/** SQL: the subscriptions of the proven contact: $1 seller, $2 number, $3 address. */
const OWN = `array(
  select o.subscription_id from customer k join subscription o on o.seller_id = k.seller_id and o.customer_id = k.id
  where k.seller_id = $1 and $2::text <> '' and k.phone_key = $2
  union all
  select o.subscription_id from subscription o
  where o.seller_id = $1 and $3::text <> '' and lower(o.email) = $3)`;

const valuesOf = ({ seller_id, phone_key, email }: Proven) => [seller_id, phone_key, email];

/** The buyer's subscriptions: owed ones first, ended ones last, each newest first. */
export const selectOwnSubscriptions = (database: Database, proven: Proven, limit: number) =>
  queryRows<SubscriptionRow>(
    database,
    `${selectSubscriptionSql("subscription")}
     where s.seller_id = $1 and s.subscription_id = any (${OWN})
     order by case when s.status in ('due', 'pending_checkout') then 0
       when s.status in ('cancelled', 'inactive') then 2 else 1 end, s.position desc limit $4`,
    [...valuesOf(proven), limit],
  );

/** One of the buyer's subscriptions; null for any other. */
export const selectOwnSubscription = (database: Database, proven: Proven, id: string) =>
  queryRow<SubscriptionRow>(
    database,
    `${selectSubscriptionSql("subscription")}
     where s.seller_id = $1 and s.subscription_id = $4 and s.subscription_id = any (${OWN})`,
    [...valuesOf(proven), id],
  );

export interface OwnPayment {
  payment_id: string;
  subscription_id: string;
  product_name: string;
  paid_at: Date;
  method: PaymentMethod;
  currency: string;
  amount: string;
  is_reversed: boolean;
  bills: BillLink[];
}

/** The buyer's payments before the given one, newest first. */
export const selectOwnPayments = (
  database: Database,
  proven: Proven,
  { before, limit }: { before: string | null; limit: number },
) =>
  queryRows<OwnPayment>(
    database,
    `select p.payment_id, p.subscription_id, r.name as product_name, p.paid_at, p.method,
       p.currency, p.amount::text as amount, p.reversed_at is not null as is_reversed,
       array(select json_build_object('bill_id', b.bill_id, 'kind', b.kind, 'label', b.label)
         from bill b where b.seller_id = p.seller_id and b.payment_id = p.payment_id
         order by b.issued_at, b.entry_id) as bills
     from payment p join subscription s using (seller_id, subscription_id)
       join product r using (seller_id, product_id)
     where p.seller_id = $1 and p.subscription_id = any (${OWN}) and ($4::uuid is null or (p.paid_at, p.payment_id) < (
       select paid_at, payment_id from payment where seller_id = $1 and payment_id = $4))
     order by p.paid_at desc, p.payment_id desc limit $5`,
    [...valuesOf(proven), before, limit],
  );

export const isOwnPayment = async (database: Database, proven: Proven, paymentId: string) =>
  (await queryValue<boolean>(
    database,
    `select true from payment
     where seller_id = $1 and payment_id = $4 and subscription_id = any (${OWN})`,
    [...valuesOf(proven), paymentId],
  )) ?? false;

/** The buyer's language, and whether they opted out of reminders. */
export const selectChoices = (database: Database, proven: Proven) =>
  queryRow<{ language: MessageLanguage | null; has_opted_out: boolean }>(
    database,
    `select (select k.language from subscription s
         join customer k on k.seller_id = s.seller_id and k.id = s.customer_id
         where s.seller_id = $1 and s.subscription_id = any (${OWN}) order by s.position desc limit 1) as language,
       exists (select from (select $1::bigint as seller_id, $2::text as phone_key, $3::text as email) own
         join reminder_recipient o on ${SAME_RECIPIENT}
         where o.opted_out_at is not null) as has_opted_out`,
    valuesOf(proven),
  );

export const chooseLanguage = (database: Database, proven: Proven, language: MessageLanguage) =>
  database.query(
    `update customer set language = $4 where seller_id = $1 and id in (
       select customer_id from subscription
       where seller_id = $1 and subscription_id = any (${OWN}))`,
    [...valuesOf(proven), language],
  );
