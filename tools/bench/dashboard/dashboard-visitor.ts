import { setTimeout as delay } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "@playwright/test";
import { CommandFailure } from "#scripts/process/command.ts";

export const DEVICES = ["desktop", "phone"] as const;
export type Device = (typeof DEVICES)[number];

// The network profile "Fast 4G" of Chromium's developer tools.
const LINE = {
  offline: false,
  latency: 165,
  downloadThroughput: 1_012_500,
  uploadThroughput: 168_750,
};
const PHONE_SLOWDOWN = 4;
const SCREENS = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

/** Milliseconds for which a pointer rests on a link, or a finger on the screen, before the click. */
const REST_MS = 80;
/** Milliseconds without network events after which open requests count as ended. */
const LOST_MS = 5_000;
const SIGHT_TIMEOUT_MS = 30_000;
const BINDING = "benchSaw";

interface Sighting {
  /** Ids of the rows or path of the record; empty for neither. */
  view: string;
  /** When the first frame with it ended, in milliseconds since 1970. */
  at: number;
  /** When the navigation to its document began. */
  navigatedAt: number;
}

export interface Received {
  bytes: number;
  scripts: number;
  requests: number;
}

/** A person with a new browser profile on one device. */
export interface Visitor {
  device: Device;
  page: Page;
  devtools: CDPSession;
  /** Acts, and resolves to the first view other than `before` that is seen after that. */
  seen: (before: string, act: () => Promise<unknown>) => Promise<Sighting>;
  /** Presses the first visible link that matches, as a person does. */
  press: (link: string) => Promise<void>;
  goBack: () => Promise<void>;
  /** When the last click or `goBack` was, in milliseconds since 1970. */
  lastPress: () => number;
  /** Waits until there has been no request for so many milliseconds. */
  quiet: (milliseconds: number) => Promise<void>;
  /** The bytes and requests since the last call. */
  received: () => Received;
  close: () => Promise<void>;
}

/** Whether both are the same view; the browser may have painted only its first rows. */
export const isSameView = (one: string, other: string): boolean =>
  one.startsWith(other) || other.startsWith(one);

export async function openVisitor(
  browser: Browser,
  device: Device,
  cookie: { name: string; value: string; url: string },
): Promise<Visitor> {
  const context = await browser.newContext({ ...SCREENS[device], locale: "en" });
  await context.addCookies([cookie]);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const sightings = await watchSightings(page, devtools);
  const network = await watchNetwork(devtools);
  if (device === "phone") {
    await devtools.send("Network.emulateNetworkConditions", LINE);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: PHONE_SLOWDOWN });
  }
  const press = async (link: string) => {
    const spot = await page.evaluate(findSpot, link);
    if (!spot) throw new CommandFailure(`no link ${link} can be pressed.`);
    await (device === "phone" ? tap(devtools, spot) : click(devtools, spot));
  };
  const close = () => context.close();
  return { device, page, devtools, press, ...sightings, ...network, close };
}

interface Spot {
  x: number;
  y: number;
}

/** Sends input without waiting until the page has handled it, like a person; a lost press is noticed by `seen`. */
const send = (devtools: CDPSession, ...input: Parameters<CDPSession["send"]>) =>
  void devtools.send(...input).catch(() => null);

async function tap(devtools: CDPSession, spot: Spot) {
  const touch = (type: "touchStart" | "touchEnd", touchPoints: Spot[]) =>
    send(devtools, "Input.dispatchTouchEvent", { type, touchPoints });
  touch("touchStart", [spot]);
  await delay(REST_MS);
  touch("touchEnd", []);
}

async function click(devtools: CDPSession, spot: Spot) {
  const point = (type: "mouseMoved" | "mousePressed" | "mouseReleased", button: object = {}) =>
    send(devtools, "Input.dispatchMouseEvent", { ...spot, ...button, type });
  point("mouseMoved");
  await delay(REST_MS);
  const left = { button: "left", clickCount: 1 };
  point("mousePressed", left);
  point("mouseReleased", left);
}

/**
 * Runs in the page. Waits for its first view and scrolls to the link.
 * @returns the middle of the link; null if it is covered or missing
 */
async function findSpot(selector: string): Promise<Spot | null> {
  await (globalThis as unknown as { benchShown: Promise<void> }).benchShown;
  const link = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility());
  link?.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
  const box = link?.getClientRects()[0];
  if (!link || !box) return null;
  const spot = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  return link.contains(document.elementFromPoint(spot.x, spot.y)) ? spot : null;
}

async function watchSightings(page: Page, devtools: CDPSession) {
  const sightings: Sighting[] = [];
  let [press, wake] = [0, () => {}];
  devtools.on("Runtime.bindingCalled", ({ name, payload }) => {
    if (name !== BINDING) return;
    const told = JSON.parse(payload) as Sighting | { press: number };
    if ("press" in told) return void (press = told.press);
    sightings.push(told);
    wake();
  });
  await devtools.send("Runtime.enable");
  await devtools.send("Runtime.addBinding", { name: BINDING });
  await page.addInitScript(reportSightings, BINDING);
  const seen: Visitor["seen"] = async (before, act) => {
    const known = sightings.length;
    const timeout = performance.now() + SIGHT_TIMEOUT_MS;
    await act();
    while (performance.now() < timeout) {
      const found = sightings
        .slice(known)
        .find(({ view }) => view !== "" && !(before && isSameView(view, before)));
      if (found) return found;
      const changed = new Promise<void>((resolve) => (wake = resolve));
      await Promise.race([changed, delay(1_000)]);
    }
    throw new CommandFailure(`nothing new was shown on ${page.url()}.`);
  };
  const goBack = () =>
    page.evaluate(() => (globalThis as unknown as { benchBack: () => void }).benchBack());
  return { seen, goBack, lastPress: () => press };
}

/** Runs in the page before its own scripts. */
function reportSightings(binding: string) {
  const tell = (sighting: Sighting | { press: number }) =>
    (globalThis as unknown as Record<string, (text: string) => void>)[binding]?.(
      JSON.stringify(sighting),
    );
  const origin = performance.timeOrigin;
  const isSeen = (element: Element) =>
    element.checkVisibility() &&
    element.getBoundingClientRect().height > 0 &&
    !element.closest("[inert], [hidden], [aria-busy=true]");
  const viewOf = () => {
    const rows = [...document.querySelectorAll("main [data-row]")];
    const first = rows.find(isSeen);
    if (first)
      return rows
        .filter((row) => row.parentElement === first.parentElement)
        .map((row) => row.getAttribute("data-row"))
        .join();
    const isRecord =
      /\/[\w-]{36}$/.test(location.pathname) &&
      [...document.querySelectorAll("main h1")].some(isSeen);
    return isRecord ? location.pathname : "";
  };
  const shown = Promise.withResolvers<void>();
  let last = "";
  const look = () => {
    const view = viewOf();
    if (view !== last) {
      last = view;
      // The browser handles a message after it has painted the frame.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        tell({ view, at: origin + performance.now(), navigatedAt: origin });
        if (view !== "") shown.resolve();
      };
      port2.postMessage(null);
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  const press = (at: number) => tell({ press: origin + at });
  addEventListener("click", ({ timeStamp }) => press(timeStamp), { capture: true });
  const benchBack = () => {
    press(performance.now());
    history.back();
  };
  const benchBlocked = { time: 0 };
  Object.assign(globalThis, { benchBack, benchBlocked, benchShown: shown.promise });
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) benchBlocked.time += duration - 50;
  }).observe({ type: "longtask", buffered: true });
}

async function watchNetwork(
  devtools: CDPSession,
): Promise<Pick<Visitor, "quiet" | "received">> {
  const open = new Map<string, string>();
  let came: Received = { bytes: 0, scripts: 0, requests: 0 };
  let lastChange = 0;
  const end = (requestId: string, bytes: number) => {
    came.bytes += bytes;
    if (open.get(requestId) === "Script") came.scripts += bytes;
    if (open.delete(requestId)) lastChange = performance.now();
  };
  let document = "";
  devtools.on("Network.requestWillBeSent", ({ requestId, loaderId, request, type = "" }) => {
    if (request.url.startsWith("data:")) return;
    came.requests += 1;
    lastChange = performance.now();
    if (type === "Document") {
      document = loaderId;
      open.clear();
    }
    // Left out: a stream stays open, and Chromium does not always report the end of a request of the
    // previous document.
    if (type !== "EventSource" && loaderId === document) open.set(requestId, type);
  });
  devtools.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    end(requestId, encodedDataLength),
  );
  devtools.on("Network.loadingFailed", ({ requestId }) => end(requestId, 0));
  await devtools.send("Network.enable");
  return {
    received: () => {
      const before = came;
      came = { bytes: 0, scripts: 0, requests: 0 };
      return before;
    },
    quiet: async (milliseconds) => {
      let silence = 0;
      do {
        await delay(50);
        silence = performance.now() - lastChange;
      } while (silence < (open.size > 0 ? LOST_MS : milliseconds));
    },
  };
}
