import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { chromium, type Browser, type CDPSession, type Page } from "@playwright/test";
import { CHROMIUM_ARGUMENTS, findChromium } from "../../chromium.ts";
import { CommandFailure } from "#scripts/process/command.ts";
import { createSessionCookie } from "./dashboard-added.ts";
import type { DelayCommand, ListeningReply } from "../harness/delayed-service.ts";
import { serviceUrl, type Product } from "../harness/product.ts";
import { stopProcess } from "../harness/subject.ts";

// The line "Fast 4G" of Chromium's developer tools.
const LINE = {
  offline: false,
  latency: 165,
  downloadThroughput: 1_012_500,
  uploadThroughput: 168_750,
};
const SLOWER = 4;
const PHONE = { width: 390, height: 844 };

export const STEPS = ["first row", "filter", "next page", "record", "back"] as const;
export type Step = (typeof STEPS)[number];

export interface Visit {
  /** Milliseconds by which the API's answers are delayed. */
  latency: number;
  /**
   * Cold: a new browser profile. Warm: the same steps again. Plain: an HTML table without scripts.
   */
  state: "cold" | "warm" | "plain";
  times: Partial<Record<Step, number>>;
  /** Bytes received until the list was shown: `scripts` of scripts, `bytes` in total. */
  scripts: number;
  bytes: number;
}

/** The delaying proxy between dashboard and service, in its own process. */
export async function startDelayedService(product: Product) {
  const child = fork(join(import.meta.dirname, "../harness/delayed-service.ts"));
  const tell = async <Reply>(order: DelayCommand) => {
    child.send(order);
    const [reply] = (await once(child, "message")) as [Reply];
    return reply;
  };
  const target = serviceUrl(product.subject);
  const { port } = await tell<ListeningReply>({ target, key: product.subject.key });
  return {
    url: `http://localhost:${port}`,
    hold: (milliseconds: number) => tell({ hold: milliseconds }),
    close: () => stopProcess(child),
  };
}

interface Order {
  latencies: readonly number[];
  runs: number;
  /** URLs of the delayed API and of a plain page with the same rows. */
  heldBack: { url: string; hold: (milliseconds: number) => Promise<unknown> };
}

/** Opens list, filter, next page, record and the list again, on a phone. */
export async function measureVisits(product: Product, order: Order): Promise<Visit[]> {
  const executablePath = findChromium();
  if (!executablePath) throw new CommandFailure("there is no Chromium to measure with.");
  const browser = await chromium.launch({ executablePath, args: CHROMIUM_ARGUMENTS });
  const visits: Visit[] = [];
  try {
    for (let run = 0; run < order.runs; run += 1)
      for (const latency of order.latencies) {
        await order.heldBack.hold(latency);
        visits.push({ latency, ...(await visitPlain(browser, order.heldBack.url)) });
        for (const visit of await visitTwice(browser, product))
          visits.push({ latency, ...visit });
      }
  } finally {
    await browser.close();
  }
  return visits;
}

type StepTimes = Omit<Visit, "latency">;

/**
 * Shows the same rows as an HTML table without a script, to measure network, API and browser alone.
 */
async function visitPlain(browser: Browser, url: string): Promise<StepTimes> {
  const { page, counted, close } = await openPhone(browser);
  await page.goto(`${url}/plain`, { waitUntil: "commit" });
  const first = await painted(page, { kind: "rows", unlike: null });
  const bytes = counted();
  await close();
  return { state: "plain", times: { "first row": first }, ...bytes };
}

async function visitTwice(browser: Browser, product: Product): Promise<StepTimes[]> {
  const { page, counted, close } = await openPhone(browser, await cookieOf(product));
  const walked = [];
  for (const state of ["cold", "warm"] as const)
    walked.push({ state, ...(await measureSteps(page, product, counted)) });
  await close();
  return walked;
}

async function cookieOf(product: Product) {
  const [name = "", value = ""] = (await createSessionCookie(product)).split("=");
  return { name, value, url: product.dashboard.url };
}

async function openPhone(browser: Browser, cookie?: Awaited<ReturnType<typeof cookieOf>>) {
  const context = await browser.newContext({ viewport: PHONE, locale: "en" });
  if (cookie) await context.addCookies([cookie]);
  const page = await context.newPage();
  await page.addInitScript(watchPaints);
  const devtools = await context.newCDPSession(page);
  const counted = await countBytes(devtools);
  await devtools.send("Network.emulateNetworkConditions", LINE);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  return { page, counted, close: () => context.close() };
}

async function measureSteps(page: Page, { dashboard, code }: Product, counted: () => Bytes) {
  const times: Partial<Record<Step, number>> = {};
  counted();
  await page.goto(`${dashboard.url}/${code}/test/subscriptions`, { waitUntil: "commit" });
  times["first row"] = await painted(page, { kind: "rows", unlike: null });
  await page.waitForLoadState("load");
  await waitUntilHydrated(page);
  const bytes = counted();

  const press = async (step: Step, run: () => Promise<unknown>, goal: Goal) => {
    await page.evaluate(() => (globalThis as unknown as Watch).watchPress());
    await run();
    const until = await painted(page, goal);
    const since = await page.evaluate(() => (globalThis as unknown as Watch).pressed);
    times[step] = until - since;
    await delay(500);
    return rowsOf(page);
  };
  const due = page.getByRole("link", { name: /^Due(?!book)/ });
  const filtered = await press("filter", () => due.click(), {
    kind: "rows",
    unlike: await rowsOf(page),
  });
  const next = page.getByRole("link", { name: "Next", exact: true });
  const following = await press("next page", () => next.click(), {
    kind: "rows",
    unlike: filtered,
  });
  const record = page.locator("main a[data-row-link]").filter({ visible: true }).first();
  await press("record", () => record.click(), { kind: "record" });
  const back = () =>
    page.evaluate(() => {
      (globalThis as unknown as Watch).pressed = performance.now();
      history.back();
    });
  const again = await press("back", back, { kind: "rows", unlike: null });
  if (again !== following) throw new CommandFailure("the way back led to other rows.");
  return { times, ...bytes };
}

type Goal = { kind: "rows"; unlike: string | null } | { kind: "record" };

interface Watch {
  /** The time of the last click, by performance.now(). */
  pressed: number;
  watchPress: () => void;
  rowsSeen: () => string;
  recordSeen: () => boolean;
}

/** Records paints; runs in the page before its own scripts. */
function watchPaints() {
  const isSeen = (element: Element) =>
    element.checkVisibility() &&
    element.getBoundingClientRect().height > 0 &&
    !element.closest("[inert], [hidden], [aria-busy=true]");
  const watch: Watch = {
    pressed: 0,
    watchPress: () =>
      addEventListener("click", ({ timeStamp }) => (watch.pressed = timeStamp), {
        capture: true,
        once: true,
      }),
    rowsSeen: () =>
      [...document.querySelectorAll("main [data-row]")]
        .filter(isSeen)
        .map((row) => row.getAttribute("data-row"))
        .join(),
    recordSeen: () =>
      /\/subscriptions\/[\w-]{36}$/.test(location.pathname) &&
      watch.rowsSeen() === "" &&
      [...document.querySelectorAll("main h1")].some(isSeen),
  };
  Object.defineProperty(globalThis, "pressed", {
    get: () => watch.pressed,
    set: (at: number) => {
      watch.pressed = at;
    },
  });
  Object.assign(globalThis, {
    watchPress: watch.watchPress,
    rowsSeen: watch.rowsSeen,
    recordSeen: watch.recordSeen,
  });
}

/** @returns the end of the first frame that shows it, by the page's performance.now() */
function painted(page: Page, goal: Goal): Promise<number> {
  return page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        const watch = globalThis as unknown as Watch;
        const isThere = () => {
          if (wanted.kind === "record") return watch.recordSeen();
          const rows = watch.rowsSeen();
          return rows !== "" && rows !== wanted.unlike;
        };
        const look = () => {
          if (!isThere()) return requestAnimationFrame(look);
          // The browser handles a message after it has painted the frame.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now());
          return port2.postMessage(null);
        };
        requestAnimationFrame(look);
      }),
    goal,
  );
}

const rowsOf = (page: Page) => page.evaluate(() => (globalThis as unknown as Watch).rowsSeen());

/** Waits until React has hydrated the rows, so that clicks reach its handlers. */
async function waitUntilHydrated(page: Page) {
  await page.waitForFunction(() =>
    [...document.querySelectorAll("main a[data-row-link]")].some((link) =>
      Object.keys(link).some((key) => key.startsWith("__reactProps")),
    ),
  );
  await delay(500);
}

interface Bytes {
  scripts: number;
  bytes: number;
}

/** @returns a function that returns the bytes received since its last call */
async function countBytes(devtools: CDPSession): Promise<() => Bytes> {
  const kinds = new Map<string, string>();
  let came: Bytes = { scripts: 0, bytes: 0 };
  devtools.on("Network.responseReceived", ({ requestId, type }) => kinds.set(requestId, type));
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    came.bytes += encodedDataLength;
    if (kinds.get(requestId) === "Script") came.scripts += encodedDataLength;
  });
  await devtools.send("Network.enable");
  return () => {
    const before = came;
    came = { scripts: 0, bytes: 0 };
    return before;
  };
}
