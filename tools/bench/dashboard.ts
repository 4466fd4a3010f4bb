import { CommandFailure, readOptions, runCommand } from "#scripts/process/command.ts";
import { ensureChromium } from "../chromium.ts";
import {
  createSessionCookie,
  measureAddedLatency,
  measureLatencyParts,
  measureRates,
  type AddedLatency,
  type PageRate,
  type LatencyPart,
} from "./dashboard/dashboard-added.ts";
import {
  measureVisits,
  startDelayedService,
  type Sample,
} from "./dashboard/dashboard-browser.ts";
import {
  reportAddedLatency,
  reportLatencyParts,
  reportRates,
  reportSellers,
  reportVisits,
  type SizedMeasurement,
} from "./dashboard/dashboard-report.ts";
import {
  measureSellers,
  waitForIndex,
  type ServerUnderLoad,
} from "./dashboard/dashboard-sellers.ts";
import { DEVICES } from "./dashboard/dashboard-visitor.ts";
import { writeSection } from "./harness/document.ts";
import { startProduct } from "./harness/product.ts";

const HELP = `npm run bench dashboard -- [--rows N,N] [--rounds N] [--runs N] [--sellers N] [--quick] [--write]
Measures what the dashboard adds to a call of the API, pages a second, the list in a browser beside a plain
HTML table, and 100 working sellers, over 1,000 and 100,000 subscriptions (--rows 1000,100000,1000000 for a
million too). --only added,pages,browser,sellers measures some parts, --quick a little of each; --write puts
the results into docs/benchmarks.md. Needs a build.
The browser alone, in two minutes: --only browser --rows 1000 --runs 3, or on one device with --device phone
or --device desktop.`;
const PARTS = ["added", "pages", "browser", "sellers"] as const;
const PART_ROUNDS = 500;

const { values } = readOptions({
  options: {
    rows: { type: "string" },
    rounds: { type: "string" },
    runs: { type: "string" },
    sellers: { type: "string" },
    only: { type: "string", default: PARTS.join(",") },
    device: { type: "string" },
    quick: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const QUICK = { rows: "1000", rounds: "2", runs: "1", sellers: "10" };
const WHOLE = { rows: "1000,100000", rounds: "9", runs: "3", sellers: "100" };

function wholeNumbers(name: keyof typeof WHOLE): number[] {
  const text = values[name] ?? (values.quick ? QUICK : WHOLE)[name];
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isInteger(number) && number > 0)) return numbers;
  throw new CommandFailure(`--${name} takes whole numbers above 0.`);
}

function one(name: keyof typeof WHOLE): number {
  const [number = 0, ...others] = wholeNumbers(name);
  if (others.length === 0) return number;
  throw new CommandFailure(`--${name} takes one number.`);
}

const asked = () => values.only.split(",");

const devices = () =>
  DEVICES.filter((device) => values.device === undefined || values.device === device);

interface Found {
  added: SizedMeasurement<AddedLatency>[];
  parts: LatencyPart[];
  rates: SizedMeasurement<PageRate>[];
  visits: SizedMeasurement<Sample>[];
  atWork: ServerUnderLoad | null;
}

/** All results for one number of subscriptions. */
async function measureSize(size: number, isFirst: boolean, found: Found) {
  const seconds = values.quick ? 0.3 : 1;
  const product = await startProduct({ subscriptions: size });
  try {
    await waitForIndex(product, 1);
    if (asked().includes("added")) {
      const plan = { rounds: one("rounds"), milliseconds: seconds * 1_000 };
      found.added.push({ size, found: await measureAddedLatency(product, plan) });
      if (isFirst) found.parts = await measureLatencyParts(product, PART_ROUNDS);
    }
    if (asked().includes("pages"))
      found.rates.push({ size, found: await measureRates(product, seconds * 4_000) });
    if (asked().includes("sellers") && isFirst) {
      const order = { sellers: one("sellers"), seconds: seconds * 60 };
      found.atWork = await measureSellers(product, order);
    }
    if (!asked().includes("browser")) return;
    const delayed = await startDelayedService(product);
    try {
      await product.restart(delayed.url);
      const session = await createSessionCookie(product);
      const order = { runs: one("runs"), devices: devices(), table: `${delayed.url}/plain` };
      found.visits.push({ size, found: await measureVisits(product, session, order) });
    } finally {
      await delayed.close();
    }
  } finally {
    await product.close();
  }
}

function textOf(found: Found): string {
  return [
    ...(found.added.length > 0
      ? [reportAddedLatency(found.added), reportLatencyParts(found.parts)]
      : []),
    ...(found.rates.length > 0 ? [reportRates(found.rates)] : []),
    ...found.visits.map(reportVisits),
    ...(found.atWork ? [reportSellers(found.atWork)] : []),
  ].join("\n\n");
}

await runCommand(async () => {
  if (values.help) return console.log(HELP);
  const unknown = asked().filter((part) => !PARTS.some((known) => known === part));
  if (unknown.length > 0)
    throw new CommandFailure(
      `--only takes one or more of ${PARTS.join(", ")}, separated by commas.`,
    );
  if (values.write && (asked().length < PARTS.length || values.device))
    throw new CommandFailure("--write writes all parts: leave --only and --device out.");
  if (devices().length === 0)
    throw new CommandFailure(`--device takes one of ${DEVICES.join(", ")}.`);
  await ensureChromium();
  const found: Found = { added: [], parts: [], rates: [], visits: [], atWork: null };
  for (const [at, size] of wholeNumbers("rows").entries()) {
    await measureSize(size, at === 0, found);
    console.error(`${size.toLocaleString("en")} subscriptions measured\n\n${textOf(found)}\n`);
  }
  const text = textOf(found);
  console.log(`\n${text}`);
  if (values.write) await writeSection("bench:dashboard", text);
});
