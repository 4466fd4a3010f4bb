import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { searchSubscriptions } from "#lib/search-index/query/subscription-query.ts";
import { parseLine } from "#lib/subscriptions/query-line.ts";
import type { Sort } from "#lib/search-index/query/subscription-filters.ts";
import { parseSubscriptionSearch, wholeQueryString } from "#lib/subscriptions/search.ts";
import {
  countMatchesOfViews,
  insertView,
  type Viewer,
} from "#lib/subscriptions/views/store.ts";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";
import { markdown } from "../markdown.ts";
import { generateIndex, inNewDatabase } from "./harness/fixture-rows.ts";

const HELP = `npm run bench search -- [--rows N] [--others N] [--rounds N]
Sends typical searches to a search index of N subscriptions (100,000), beside its newest page in the same
round, and counts them at once, as for saved views.
--others N  subscriptions of 1,999 other sellers beside them`;

const { values } = readOptions({
  options: {
    rows: { type: "string", default: "100000" },
    others: { type: "string" },
    rounds: { type: "string", default: "10" },
    help: { type: "boolean", default: false },
  },
});

/** The search lines to measure, each with its sort order. */
const QUESTIONS: [line: string, sort: Sort | null][] = [
  ["", null],
  ["s", null],
  ["ra", null],
  ["saraswati", null],
  ["सरस्वती shrestha", null],
  ["laxmi thapa status:due", null],
  ["gold ram", null],
  ["+977 981 000 7919", null],
  ["7919", null],
  ["user4242@example.com", null],
  ["100004240", null],
  ["c4ca4238", null],
  ["sarswoti", null],
  ["shrsetha bishmu", null],
  ["zzzzzz", null],
  ["plan:gold", null],
  ['status:due plan:gold product:"Product 3"', "price"],
  ["next:2026-11-05..2026-11-09 status:due", "next_billing"],
  ["price:>=2000", "-created"],
  ["", "-next_billing"],
  ["", "product"],
  ["", "buyer"],
  ["ram", "-price"],
];

async function bench() {
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [rows, rounds] = [
    positiveOption("rows", values.rows),
    positiveOption("rounds", values.rounds),
  ];
  if (rows < 1_000) throw new CommandFailure("--rows takes a number of 1,000 or more.");
  const others = values.others === undefined ? 0 : positiveOption("others", values.others);
  await inNewDatabase(async (pool) => {
    const owner = await generateIndex(pool, { rows, others });
    return measure(pool, owner, { rows, rounds });
  });
}

async function measure(
  pool: pg.Pool,
  owner: KeyOwner,
  { rows, rounds }: { rows: number; rounds: number },
): Promise<string> {
  const times = QUESTIONS.map((): number[] => []);
  const counts = QUESTIONS.map(() => 0);
  for (let round = 0; round <= rounds; round += 1)
    for (const [at, [line, sort]] of QUESTIONS.entries()) {
      const { words, filters } = parseLine(line);
      const search = { ...parseSubscriptionSearch({}), ...filters, sort };
      const begun = performance.now();
      const found = await searchSubscriptions(pool, owner, { search, words, time_zone: "UTC" });
      // The first round is not counted, because it loads the database's caches.
      if (round > 0) times[at]?.push(performance.now() - begun);
      counts[at] = found.state === "ready" ? found.count : 0;
    }
  const viewer = await saveViews(pool, owner);
  const counting: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const begun = performance.now();
    await countMatchesOfViews(pool, viewer, "UTC");
    if (round > 0) counting.push(performance.now() - begun);
  }
  const floor = percentile(times[0] ?? [], 0.5);
  const lines = QUESTIONS.map(([line, sort], at) => {
    const [middle, high] = [0.5, 0.95].map((part) => percentile(times[at] ?? [], part));
    return [
      line || "(all)",
      sort ?? "",
      String(counts[at]),
      (middle ?? 0).toFixed(1),
      (high ?? 0).toFixed(1),
      ((middle ?? 0) / floor).toFixed(1),
    ];
  });
  const all = times.flat();
  return `${markdown([["asked", "order", "found", "p50 ms", "p95 ms", "to the newest page"], ...lines])}

All together: p50 ${percentile(all, 0.5).toFixed(1)} ms, p95 ${percentile(all, 0.95).toFixed(1)} ms over ${rows} subscriptions (aim: p95 under 50 ms).
Counting the first ${VIEWS} searches as saved views: p50 ${percentile(counting, 0.5).toFixed(1)} ms, p95 ${percentile(counting, 0.95).toFixed(1)} ms.
`;
}

const VIEWS = 12;

/** Saves the first search lines as named views. */
async function saveViews(pool: pg.Pool, owner: Pick<Viewer, "seller_id" | "mode">) {
  const viewer: Viewer = { ...owner, user_id: randomUUID(), may_share: true };
  for (const [at, [line]] of QUESTIONS.slice(0, VIEWS).entries()) {
    const { words, filters } = parseLine(line);
    const query = wholeQueryString({ ...parseSubscriptionSearch({}), ...filters }).replace(
      "?",
      "",
    );
    await insertView(pool, viewer, { name: `View ${at}`, is_shared: true, query, words });
  }
  return viewer;
}

const percentile = (times: number[], part: number) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * part)] ?? 0;

await runCommand(bench);
