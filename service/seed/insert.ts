import { nationalDigits } from "#contract/phone-number.ts";
import type { BillingDetails } from "../customers/store.ts";
import type { Database } from "../db/database.ts";
import { randomOf, type Random } from "./random.ts";
import { generateSubscription, type SeedPlan } from "./subscriptions.ts";

const BATCH = 5_000;

interface Target {
  database: Database;
  sellerId: number;
  returnUrl: string;
  onProgress: (done: number) => void;
}

/** Inserts `count` subscriptions, oldest first, and their buyers; holds few rows in memory. */
export async function insertGenerated(
  target: Target,
  plan: SeedPlan,
  count: number,
): Promise<void> {
  const times = Float64Array.from({ length: count }, (_, index) =>
    generateSubscription(plan, index).created_at.getTime(),
  );
  const customerIds = await insertPeople(target, plan, times);
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  order.sort((a, b) => (times[a] as number) - (times[b] as number) || a - b);
  for (let from = 0; from < count; from += BATCH) {
    const rows = Array.from(order.subarray(from, from + BATCH), (index, place) => {
      const { period, person, ...subscription } = generateSubscription(plan, index);
      return {
        ...period,
        ...subscription,
        position: from + place + 1,
        customer_id: customerIds[person],
        is_one_time: period.interval_type === "one_time",
      };
    });
    await insertRows(target, rows);
    target.onProgress(from + rows.length);
  }
  await target.database.query(
    "update seller set last_position = $2, last_customer_position = $3 where seller_id = $1",
    [target.sellerId, count, plan.people],
  );
}

// Abandoned checkouts of the generated past were announced then, not by the first sweep.
const insertRows = ({ database, sellerId, returnUrl }: Target, rows: unknown[]) =>
  database.query(
    `insert into subscription (seller_id, position, customer_id, product_id, plan_id, pbp_id,
       is_one_time, status, phone, full_name, email, address, billing, shipping, return_url,
       current_period_start, next_billing_cycle, anchor_day, created_at, subscription_id, abandoned_at)
     select $1, one.position, c.id, one.product_id, one.plan_id, one.pbp_id, one.is_one_time,
       one.status, c.buyer_phone, c.full_name, c.buyer_email, c.address, c.billing,
       case when one.position % 8 = 3 then jsonb_build_object('phone', c.buyer_phone,
         'full_name', c.full_name, 'email', c.buyer_email, 'address', c.address) end, $3,
       one.current_period_start, one.next_billing_cycle, one.anchor_day, one.created_at,
       one.subscription_id,
       case when one.status = 'pending_checkout' and one.created_at < now() - interval '1 day'
         then one.created_at + interval '1 day' end
     from jsonb_to_recordset($2) as one (position bigint, customer_id bigint, product_id uuid,
       plan_id uuid, pbp_id text, is_one_time boolean, status text,
       current_period_start timestamptz, next_billing_cycle timestamptz, anchor_day smallint,
       created_at timestamptz, subscription_id uuid)
     join customer c on c.id = one.customer_id and c.seller_id = $1
     order by one.position`,
    [sellerId, JSON.stringify(rows), returnUrl],
  );

/** @returns each person's customer id; ids rise in the order of the first subscription */
async function insertPeople(
  { database, sellerId }: Target,
  { people, now }: SeedPlan,
  times: Float64Array,
): Promise<Float64Array> {
  const ids = new Float64Array(people);
  const first = new Float64Array(people).fill(now.getTime());
  times.forEach((time, index) => {
    first[index % people] = Math.min(first[index % people] as number, time);
  });
  const order = Uint32Array.from(first.keys());
  order.sort((a, b) => (first[a] as number) - (first[b] as number) || a - b);
  for (let from = 0; from < people; from += BATCH) {
    const chosen = Array.from(order.subarray(from, from + BATCH));
    const rows = chosen.map((index, place) => {
      const person = generatePerson(index);
      const created_at = new Date(first[index] as number);
      return {
        ...person,
        created_at,
        phone_key: nationalDigits(person.phone),
        position: from + place + 1,
      };
    });
    const inserted = await insertCustomers(database, sellerId, rows);
    chosen.forEach((index, place) => (ids[index] = inserted[place] as number));
  }
  return ids;
}

async function insertCustomers(database: Database, sellerId: number, rows: unknown[]) {
  const { rows: inserted } = await database.query<{ id: number }>(
    `insert into customer (seller_id, phone_key, buyer_phone, full_name, buyer_email, address,
       billing, created_at, position)
     select $1, phone_key, phone, full_name, email, address, nullif(billing, 'null'), created_at,
       position
     from jsonb_to_recordset($2) as person (phone_key text, phone text, full_name text,
       email text, address text, billing jsonb, created_at timestamptz, position bigint)
     order by position returning id`,
    [sellerId, JSON.stringify(rows)],
  );
  return inserted.map((row) => row.id);
}

const KIND = 0x5eed_0002;

const FIRST_NAMES =
  "Aarati Aayush Anjali Asmita Bibek Bimala Binod Chandra Dawa Deepa Dipesh Gita Ganesh Hari Indira Ishwor Jamuna Kabita Kamal Kiran Laxmi Madan Manju Mina Nabin Nirmala Om Pasang Pramila Prakash Rabin Rajani Ram Rojina Sabina Sanjay Sarita Shanti Shyam Sita Sunita Suresh Tara Tashi Uma Umesh Yangchen".split(
    " ",
  );
const LAST_NAMES =
  "Adhikari Basnet Bhandari Bhattarai Bista Chaudhary Dahal Gautam Ghimire Gurung Joshi Karki Khadka Lama Limbu Magar Maharjan Neupane Pandey Poudel Rai Regmi Sapkota Shahi Sherpa Shrestha Subedi Tamang Thapa Yadav".split(
    " ",
  );
const DEVANAGARI_NAMES = [
  "आरती अधिकारी",
  "विष्णु प्रसाद भट्टराई",
  "लक्ष्मी महर्जन",
  "कृष्ण बहादुर श्रेष्ठ",
  "सृजना लिम्बू",
  "ज्ञानेन्द्र चौधरी",
];
const LONG_NAMES = [
  "Shree Pashupati Mahadev Multipurpose Cooperative Society of Upper Bhaktapur, Ward No. 7",
  "Prof. Dr. Tulasi Narayan Rajbhandari-Maharjan (on behalf of the residents' committee)",
];
const PLACES = [
  "Patan, Lalitpur",
  "Baluwatar, Kathmandu",
  "Lakeside, Pokhara",
  "Suryabinayak, Bhaktapur",
  "Bharatpur-10, Chitwan",
  "Dharan-8, Sunsari",
  "Butwal-11, Rupandehi",
  "Thimi, Bhaktapur",
  "Kupondole, Lalitpur",
  "बानेश्वर, काठमाडौँ",
];
const TRADES = [
  "Traders",
  "Stores",
  "Suppliers",
  "Guest House",
  "Consult",
  "Bakery",
  "Pharmacy",
];

interface Person {
  phone: string;
  full_name: string;
  email: string;
  address: string;
  billing: BillingDetails | null;
}

/** The `index`-th generated buyer: its phone is unique, and one in five buys for a business. */
function generatePerson(index: number): Person {
  const random = randomOf(KIND, index);
  const first = random.pick(FIRST_NAMES);
  const last = random.pick(LAST_NAMES);
  const address = random.pick(PLACES);
  const email = `${first}.${last}${index}@example.com`.toLowerCase();
  return {
    phone: `98${String(index).padStart(8, "0")}`,
    full_name: unusualName(random, index) ?? `${first} ${last}`,
    email,
    address,
    billing: random.chance(0.2)
      ? {
          business_name: `${last} ${random.pick(TRADES)}`,
          email: `accounts${index}@example.com`,
          address,
          pan_vat: String(random.integer(0, 999_999_999)).padStart(9, "0"),
        }
      : null,
  };
}

// An unusual name for some buyers of every page, so that layouts are not only tested with short
// Latin names.
function unusualName(random: Random, index: number): string | null {
  if (index % 17 === 5) return random.pick(LONG_NAMES);
  return index % 9 === 4 ? random.pick(DEVANAGARI_NAMES) : null;
}
