import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startCommand } from "../../e2e/support/command.ts";
import { ensureChromium } from "../chromium.ts";
import {
  CommandFailure,
  positiveOption,
  readOptions,
  runCommand,
} from "#scripts/process/command.ts";
import { freePort } from "#scripts/database/free-port.ts";
import { writeSection } from "./harness/document.ts";
import {
  openBrowser,
  signInAndFindPages,
  type PageUrls,
  type Browser,
} from "./pages/pages-browser.ts";
import {
  loadLighthouse,
  measureMachine,
  measurePage,
  PRESETS,
  cpuSlowdownOf,
} from "./pages/pages-lighthouse.ts";
import { measurePress, MEASURED_PRESSES } from "./pages/pages-presses.ts";
import { reportPages, type PageRow, type PressRow } from "./pages/pages-report.ts";

const HELP = `npm run bench pages -- [--runs N] [--pages name,name] [--reports folder] [--write]
Loads the most important pages with Lighthouse, which it installs at the first run, and times how soon
clicks are answered. --reports keeps Lighthouse's own reports, --write puts the results into
docs/benchmarks.md.`;

await runCommand(async () => {
  const { values } = readOptions({
    options: {
      runs: { type: "string", default: "3" },
      pages: { type: "string" },
      reports: { type: "string" },
      write: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(HELP);
  const runs = positiveOption("runs", values.runs);
  await ensureChromium();
  const product = await startProduct();
  const browser = await openBrowser(await freePort());
  try {
    const addresses = await signInAndFindPages(browser.context, product.url);
    const lighthouse = await loadLighthouse();
    const index = await measureMachine(browser.context);
    const slowdown = cpuSlowdownOf(index);
    const rows = await measurePages(lighthouse, browser, addresses, {
      runs,
      slowdown,
      only: values.pages,
      reports: values.reports,
    });
    const presses = values.pages
      ? []
      : await measurePresses(browser, addresses, { runs, slowdown });
    const text = reportPages({ index, slowdown }, rows, presses);
    console.log(`\n${text}`);
    if (values.write) await writeSection("bench:pages", text);
  } finally {
    await browser.close();
    await product.stop();
  }
});

/**
 * Starts the production build with the demonstration's data in a temporary folder, unless DUEBOOK_URL
 * names one that runs.
 */
async function startProduct() {
  const { DUEBOOK_URL } = process.env;
  if (DUEBOOK_URL) return { url: DUEBOOK_URL, stop: async () => {} };
  const folder = await mkdtemp(join(tmpdir(), "duebook-bench-"));
  const port = await freePort();
  const command = startCommand("up.ts", {
    PORT: String(port),
    SERVICE_PORT: String(await freePort()),
    DATA_DIR: join(folder, "data"),
  });
  await command.printed("Duebook is ready.");
  return {
    url: `http://localhost:${port}`,
    stop: async () => {
      await command.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Order {
  runs: number;
  /** How many times slower a phone is than this machine. */
  slowdown: number;
  /** Names of pages, separated by commas; undefined for all. */
  only: string | undefined;
  /** A folder for Lighthouse's own reports of the last run. */
  reports: string | undefined;
}

async function measurePages(
  lighthouse: Awaited<ReturnType<typeof loadLighthouse>>,
  { context, port }: Browser,
  addresses: PageUrls,
  order: Order,
) {
  const { slowdown } = order;
  const cookies = await context.cookies();
  const all = Object.keys(addresses) as (keyof PageUrls)[];
  const asked = order.only?.split(",") ?? all;
  const names = all.filter((name) => asked.includes(name));
  if (names.length < asked.length)
    throw new CommandFailure(
      `--pages takes one or more of ${all.join(", ")}, separated by commas.`,
    );
  const rows: PageRow[] = [];
  for (let run = 1; run <= order.runs; run += 1)
    for (const name of names)
      for (const preset of PRESETS) {
        await context.clearCookies();
        // Only the sign-in page is loaded without cookies.
        if (name !== "sign-in") await context.addCookies(cookies);
        const url = addresses[name];
        const report = order.reports ? join(order.reports, `${name}-${preset}.json`) : null;
        const measured = await measurePage(lighthouse, {
          url,
          port,
          preset,
          slowdown,
          report,
        });
        rows.push({ name, preset, ...measured });
        console.log(`${run}/${order.runs} ${name}, ${preset}: ${measured.performance}`);
      }
  await context.clearCookies();
  await context.addCookies(cookies);
  return rows;
}

async function measurePresses(
  { context }: Browser,
  addresses: PageUrls,
  { runs, slowdown }: Pick<Order, "runs" | "slowdown">,
) {
  const rows: PressRow[] = [];
  for (let run = 1; run <= runs; run += 1)
    for (const press of MEASURED_PRESSES)
      for (const preset of PRESETS) {
        const duration = await measurePress(context, addresses, press, preset, slowdown);
        rows.push({ name: press.name, preset, duration });
      }
  return rows;
}
