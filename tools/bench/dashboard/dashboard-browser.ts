import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../chromium.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { isSameView, openVisitor, type Device, type Visitor } from "./dashboard-visitor.ts";
import type { DelayCommand, ListeningReply } from "../harness/delayed-service.ts";
import { serviceUrl, type Product } from "../harness/product.ts";
import { stopProcess } from "../harness/subject.ts";

/** Milliseconds by which the API's answers are delayed. */
export const API_DELAY_MS = 50;
/** Milliseconds without a request after which a loaded page counts as quiet. */
const QUIET_MS = 700;
const PAUSE_MS = 300;
const WARM_UPS = 5;

const SUBJECTS = ["Duebook", "table"] as const;

type ActionFigure = "filter" | "next" | "open" | "back";

/** One measured value: milliseconds, bytes or a number. */
export interface Sample {
  device: Device;
  subject: (typeof SUBJECTS)[number];
  figure:
    | ActionFigure
    | "cold"
    | "warm"
    | "nextAtFirstRow"
    | "bytes"
    | "scripts"
    | "requests"
    | "actionBytes"
    | "blocked"
    | "elements"
    | "html";
  value: number;
}

interface Action {
  /** Null if its time is not measured. */
  figure: ActionFigure | null;
  /** The link to press; null for the browser's button to go back. */
  link: string | null;
}

const filterBy = (status: string): Action => ({
  figure: "filter",
  link: `main a[href*="status=${status}"]`,
});
const NEXT = { figure: "next", link: 'main a[rel="next"]' } as const;
const OPEN: Action = { figure: "open", link: "main a[data-row-link]" };
const BACK: Action = { figure: "back", link: null };
const SORT: Action = { figure: null, link: 'main a[href*="sort=buyer"]' };

/** Fourteen actions. Phones show rows as cards without headers to sort by, so they filter instead. */
const actionsOn = (device: Device): Action[] =>
  [
    [filterBy("due"), NEXT, NEXT, BACK, OPEN, BACK],
    [device === "phone" ? filterBy("inactive") : SORT, NEXT, OPEN, BACK],
    [filterBy("active"), NEXT, OPEN, BACK],
  ].flat();

/** The delaying proxy between dashboard and service, with the plain table, in its own process. */
export async function startDelayedService(product: Product) {
  const child = fork(join(import.meta.dirname, "../harness/delayed-service.ts"));
  const order: DelayCommand = {
    target: serviceUrl(product.subject),
    key: product.subject.key,
    hold: API_DELAY_MS,
  };
  child.send(order);
  const [{ port }] = (await once(child, "message")) as [ListeningReply];
  return { url: `http://localhost:${port}`, close: () => stopProcess(child) };
}

interface Order {
  runs: number;
  devices: readonly Device[];
  /** URL of the plain table. */
  table: string;
}

/** Visits the dashboard's list and the plain table in turns, on each device. */
export async function measureVisits(
  { dashboard, code }: Product,
  session: string,
  { runs, devices, table }: Order,
): Promise<Sample[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new CommandFailure("there is no Chromium to measure with.");
  const urls = { Duebook: `${dashboard.url}/${code}/test/subscriptions`, table };
  for (let time = 0; time < WARM_UPS; time += 1)
    await (await fetch(urls.Duebook, { headers: { cookie: session } })).text();
  const [name = "", value = ""] = session.split("=");
  const cookie = { name, value, url: dashboard.url };
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  const samples: Sample[] = [];
  try {
    for (let run = 0; run < runs; run += 1)
      for (const device of devices)
        for (const subject of run % 2 === 0 ? SUBJECTS : SUBJECTS.toReversed())
          for (const visit of [pressNextAtFirstRow, visitList]) {
            const visitor = await openVisitor(browser, device, cookie);
            const note = (figure: Sample["figure"], measured: number) =>
              void samples.push({ device, subject, figure, value: measured });
            await visit(visitor, urls[subject], note);
            await visitor.close();
          }
  } finally {
    await browser.close();
  }
  return samples;
}

type Note = (figure: Sample["figure"], value: number) => void;

const load = ({ page, seen }: Visitor, url: string) =>
  seen("", () => page.goto(url, { waitUntil: "commit" }));

async function pressNextAtFirstRow(visitor: Visitor, url: string, note: Note) {
  const { page, seen, press } = visitor;
  let pressed = Promise.resolve();
  const first = await seen("", async () => {
    await page.goto(url, { waitUntil: "commit" });
    pressed = press(NEXT.link);
  });
  const second = await seen(first.view, () => pressed);
  note("nextAtFirstRow", second.at - first.navigatedAt);
}

async function visitList(visitor: Visitor, url: string, note: Note) {
  const { device, page, quiet, received } = visitor;
  const cold = await load(visitor, url);
  note("cold", cold.at - cold.navigatedAt);
  await quiet(QUIET_MS);
  for (const [figure, amount] of Object.entries(received()))
    note(figure as keyof ReturnType<typeof received>, amount);
  for (const [figure, amount] of Object.entries(await page.evaluate(describePage)))
    note(figure as keyof ReturnType<typeof describePage>, amount);

  const warm = await load(visitor, url);
  note("warm", warm.at - warm.navigatedAt);
  await quiet(QUIET_MS);
  received();
  const views = [warm.view];
  for (const { figure, link } of actionsOn(device)) {
    const { view, at } = await visitor.seen(views.at(-1) ?? "", () =>
      link ? visitor.press(link) : visitor.goBack(),
    );
    if (figure) note(figure, at - visitor.lastPress());
    await quiet(PAUSE_MS);
    if (link) views.push(view);
    else views.pop();
    if (!isSameView(views.at(-1) ?? "", view))
      throw new CommandFailure(`going back to ${page.url()} showed other rows.`);
  }
  note("actionBytes", received().bytes);
}

/** Runs in the page. */
function describePage() {
  const [navigation] = performance.getEntriesByType("navigation");
  return {
    blocked: (globalThis as unknown as { benchBlocked: { time: number } }).benchBlocked.time,
    elements: document.querySelectorAll("*").length,
    html: (navigation as PerformanceNavigationTiming).decodedBodySize,
  };
}
