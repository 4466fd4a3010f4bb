/** A benchmark and the options that it runs with. */
export interface Bench {
  /** The name in `npm run bench <name>` and in the marks of its section. */
  name: string;
  /** The options of each run; several runs if a run takes one number of subscriptions. */
  whole: (sizes: readonly number[]) => string[][];
  /** The options of a quick run, which takes less than half a minute. */
  quick: string[];
  /** Whether it writes its results into the document itself. */
  writesItself?: boolean;
}

const once = () => [[]];
const bySize =
  (option: string, least = 0) =>
  (sizes: readonly number[]) =>
    sizes.filter((size) => size >= least).map((size) => [option, String(size)]);

/** The benchmarks in the order in which they run. */
export const BENCHES: readonly Bench[] = [
  {
    name: "service",
    // Each run compares this size with 1,000.
    whole: bySize("--large", 10_000),
    quick: ["--large", "2000", "--rounds", "2", "--seconds", "0.1"],
  },
  { name: "lifecycle", whole: bySize("--large", 100_000), quick: ["--large", "100000"] },
  { name: "webhooks", whole: once, quick: ["--rounds", "1", "--deliveries", "400"] },
  {
    name: "pages",
    whole: () => [["--write"]],
    quick: ["--runs", "1", "--pages", "checkout"],
    writesItself: true,
  },
  {
    name: "dashboard",
    whole: (sizes) => [["--rows", sizes.join(","), "--write"]],
    quick: ["--quick"],
    writesItself: true,
  },
  {
    name: "search",
    whole: bySize("--rows"),
    quick: ["--rows", "1000", "--rounds", "1"],
  },
  { name: "export", whole: bySize("--rows", 10_000), quick: ["--rows", "10000"] },
  {
    name: "search-index",
    whole: bySize("--rows"),
    quick: ["--rows", "1000", "--rounds", "1"],
  },
  {
    name: "changes",
    whole: bySize("--rows", 100_000),
    quick: ["--rows", "1000", "--seconds", "2"],
  },
  {
    name: "reports",
    whole: (sizes) => sizes.map((size) => ["--rows", `${size}`, "--changes", `${3 * size}`]),
    quick: ["--rows", "1000", "--changes", "3000", "--rounds", "1"],
  },
  {
    name: "collection",
    whole: bySize("--rows"),
    quick: ["--rows", "1000", "--rounds", "2"],
  },
  {
    name: "messages",
    whole: once,
    quick: ["--reminders", "300", "--codes", "10"],
  },
  { name: "payments", whole: once, quick: ["--seconds", "5", "--waiting", "5"] },
  { name: "states", whole: once, quick: ["--rows", "100", "--rounds", "1"] },
  { name: "live", whole: once, quick: ["--streams", "50", "--payments", "5"] },
  {
    name: "sign-in",
    whole: once,
    quick: ["--tries", "10", "--rounds", "1", "--seconds", "2"],
  },
  { name: "up", whole: once, quick: ["--rounds", "1"] },
];
