import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { UnexpectedAnswer, type Person } from "../harness/person.ts";
import { payAt, type TimeRequest } from "./soak-buyer.ts";

const STATUSES = ["active", "due", "pending_checkout", "inactive"];
const NAMES = ["sita", "ram sharma", "thapa", "gurung", "status:due", "98", "sarswoti", "milk"];
const REPORTS = ["revenue", "subscribers", "owed", "collected"];
const PAGES = ["/collection", "/products", "/customers", "/notifications", "/reports"];

export interface Answer {
  name: string;
  /** Start and duration in milliseconds, by performance.now(). */
  at: number;
  took: number;
}

/** The shared state and the results of all people. */
export interface Diary {
  answers: Answer[];
  /** The number of each kind of failure. */
  faults: Map<string, number>;
  /** Numbers of stream messages (`told`) and of payments. */
  told: number;
  paid: number;
  /** Unpaid and active subscriptions created here; each is used by one person. */
  waiting: string[];
  running: string[];
  pbpIds: string[];
  /** Average milliseconds between two actions of one person. */
  thinking: number;
  isOver: boolean;
}

export const newDiary = (pbpIds: string[], thinking: number): Diary => ({
  answers: [],
  faults: new Map(),
  told: 0,
  paid: 0,
  waiting: [],
  running: [],
  pbpIds,
  thinking,
  isOver: false,
});

const pick = <Value>(values: readonly Value[]): Value =>
  values[randomInt(values.length)] as Value;

const timedIn =
  (diary: Pick<Diary, "answers">): TimeRequest =>
  async (name, run) => {
    const at = performance.now();
    const value = await run();
    diary.answers.push({ name, at, took: performance.now() - at });
    return value;
  };

/** Uses the dashboard until the diary is closed, with pauses between the actions. */
export async function workAtDesk(person: Person, diary: Diary): Promise<void> {
  const timed = timedIn(diary);
  const stream = new OwnStream(person, diary);
  const seat: Seat = { person, diary, timed, seen: [] };
  if (!person.isSignedIn) await note(diary, () => timed("sign in", () => person.signIn()));
  await note(diary, () => stream.open());
  while (!diary.isOver) {
    await delay(-Math.log(1 - Math.random()) * diary.thinking);
    await note(diary, () => drawn()(seat));
  }
  stream.close();
}

interface Seat {
  person: Person;
  diary: Diary;
  timed: TimeRequest;
  /** The ids in the list that was read last. */
  seen: string[];
}

async function note(diary: Diary, run: () => Promise<unknown>) {
  try {
    await run();
  } catch (error) {
    const text = error instanceof UnexpectedAnswer ? error.message : String(error);
    diary.faults.set(text, (diary.faults.get(text) ?? 0) + 1);
  }
}

type Work = (seat: Seat) => Promise<unknown>;

/** Work that picks an id of the list that was read last; reads the list first if there is none. */
const ofList =
  (work: Work): Work =>
  async (seat) => {
    if (seat.seen.length === 0) await list("list", () => "")(seat);
    return work(seat);
  };

const page =
  (name: string, path: (seat: Seat) => string): Work =>
  (seat) =>
    seat.timed(name, () => seat.person.read(seat.person.home + path(seat)));

const route =
  (name: string, path: (seat: Seat) => string): Work =>
  (seat) =>
    seat.timed(name, () => seat.person.read(`/api${seat.person.home}${path(seat)}`));

const list =
  (name: string, query: () => string): Work =>
  async (seat) => {
    const { results } = await seat.timed(name, () =>
      seat.person.json<{ results: { subscription_id: string }[] }>(`/subscriptions${query()}`),
    );
    seat.seen = results.map(({ subscription_id }) => subscription_id);
  };

/** The actions, and the share of each. */
const WORK: [share: number, work: Work][] = [
  [8, page("overview", () => "")],
  [10, page("list page", () => "/subscriptions")],
  [14, list("list", () => "")],
  [8, list("next pages", () => `?page=${2 + randomInt(40)}`)],
  [8, list("filter", () => `?status=${pick(STATUSES)}`)],
  [
    10,
    ({ person, timed }) =>
      timed("search", () =>
        person.json("/subscriptions", { "x-words": encodeURIComponent(pick(NAMES)) }),
      ),
  ],
  [6, ofList(page("record page", ({ seen }) => `/subscriptions/${pick(seen)}`))],
  [8, ofList(route("record", ({ seen }) => `/subscriptions/${pick(seen)}`))],
  [6, page("other pages", () => pick(PAGES))],
  [4, route("reports", () => `/reports/${pick(REPORTS)}`)],
  [4, route("collection", () => "/collection")],
  [2, route("received webhooks", () => "/receiver")],
  [1, exportAll],
  [1, ({ person, timed }) => timed("sign in", () => person.signIn())],
  [5, create],
  [4, pay],
  [3, cancel],
];
const SHARES = WORK.reduce((sum, [share]) => sum + share, 0);

function drawn(): Work {
  let left = randomInt(SHARES);
  for (const [share, work] of WORK) {
    if (left < share) return work;
    left -= share;
  }
  throw new Error("the shares of WORK do not add up to SHARES");
}

let buyers = 0;

async function create({ person, diary, timed }: Seat) {
  buyers += 1;
  const { subscription_id } = await timed("create", () =>
    person.act<{ subscription_id: string }>("createSubscriptionAction", {
      pbp_id: pick(diary.pbpIds),
      return_url: "https://shop.example/back",
      client: {
        full_name: `Buyer ${buyers}`,
        phone: `97${String(buyers).padStart(8, "0")}`,
        email: `buyer-${buyers}@example.com`,
        address: "Pokhara",
      },
    }),
  );
  diary.waiting.push(subscription_id);
}

/** Exports run one at a time: a second user gets a refusal and continues with another action. */
async function exportAll({ person, timed }: Seat) {
  const path = `/subscriptions/export?format=${pick(["csv", "xlsx"])}`;
  const write = () => timed("export", () => person.read(`/api${person.home}${path}`));
  await write().catch((error: unknown) => {
    if (!(error instanceof UnexpectedAnswer) || error.status !== 409) throw error;
  });
}

async function pay(seat: Seat) {
  const { person, diary, timed } = seat;
  const id = diary.waiting.shift();
  if (id === undefined) return create(seat);
  const record = await timed("record", () =>
    person.json<{ checkout_url: string | null }>(`/subscriptions/${id}`),
  );
  if (!record.checkout_url)
    throw new UnexpectedAnswer("a new subscription has no checkout link");
  await payAt(record.checkout_url, timed);
  const { subscription } = await timed("record", () =>
    person.json<{ subscription: { status: string } }>(`/subscriptions/${id}`),
  );
  if (subscription.status !== "active")
    throw new UnexpectedAnswer(`paid, and yet ${subscription.status}`);
  diary.paid += 1;
  diary.running.push(id);
}

async function cancel({ person, diary, timed }: Seat) {
  const subscription_id = diary.running.shift();
  if (subscription_id === undefined) return;
  await timed("cancel", () => person.act("cancelSubscriptionAction", { subscription_id }));
}

/** The page's event stream, which is reopened when a new session has ended the old one. */
class OwnStream {
  readonly #person: Person;
  readonly #diary: Diary;
  #close = () => {};
  #isClosed = false;

  constructor(person: Person, diary: Diary) {
    this.#person = person;
    this.#diary = diary;
  }

  async open(): Promise<void> {
    const request = await this.#person.listen(
      (text) => (this.#diary.told += text.split('"kind":"delivery"').length - 1),
      () => {
        // Browsers wait one second too before they reconnect.
        if (!this.#isClosed) void delay(1_000).then(() => note(this.#diary, () => this.open()));
      },
    );
    if (this.#isClosed) return void request.destroy();
    this.#close = () => request.destroy();
  }

  close() {
    this.#isClosed = true;
    this.#close();
  }
}
