import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import sharp from "sharp";
import { expect, test } from "vitest";
import manifest from "#app/manifest.ts";
import { ROOT } from "#scripts/process/settings.ts";
import { APP_ICONS } from "../checks/icons.ts";

const { start_url, scope, display, name, icons = [] } = manifest();

test("the web app manifest has what browsers require of an installable app", () => {
  expect({ name, start_url, scope, display }).toEqual({
    name: "Duebook",
    start_url: "/",
    scope: "/",
    display: "standalone",
  });
  const plain = icons.filter(({ purpose }) => purpose === undefined);
  expect(plain.map(({ sizes }) => sizes)).toEqual(["192x192", "512x512"]);
  expect(icons.filter(({ purpose }) => purpose === "maskable")).toHaveLength(1);
});

test("each icon has the size that the web app manifest names, and the maskable icon fills its corners", async () => {
  for (const { src, sizes, purpose } of icons) {
    const file = sharp(join(ROOT, "public", src));
    const { width, height } = await file.metadata();
    expect(`${width}x${height}`).toBe(sizes);
    const { data } = await file.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    expect(data[3]).toBe(purpose === "maskable" ? 255 : 0);
    expect(Object.keys(APP_ICONS)).toContain(src.slice(1));
  }
});

type Handler = (event: Record<string, unknown>) => void;

/** The service worker, with a cache that remembers its entries. */
function startWorker({ isOnline = true } = {}) {
  const handlers: Record<string, Handler> = {};
  const cached: string[] = [];
  const shown: { title: string; options: Record<string, unknown> }[] = [];
  const opened: string[] = [];
  const cache = {
    add: async ({ url }: { url: string }) => void cached.push(url),
    put: async ({ url }: { url: string }) => void cached.push(url),
  };
  const context = {
    addEventListener: (event: string, handler: Handler) => (handlers[event] = handler),
    caches: {
      open: async () => cache,
      keys: async () => [],
      match: async (url: string) => `cached ${url}`,
    },
    clients: {
      claim: () => {},
      matchAll: async () => [],
      openWindow: async (url: string) => void opened.push(url),
    },
    registration: {
      showNotification: async (title: string, options: Record<string, unknown>) =>
        void shown.push({ title, options }),
    },
    skipWaiting: () => {},
    fetch: async ({ url }: { url: string }) => {
      if (!isOnline) throw new TypeError("Failed to fetch");
      return `fetched ${url}`;
    },
    location: new URL("https://desk.example/sw.js"),
    Request: class {
      url: string;
      constructor(url: string) {
        this.url = url;
      }
    },
    URL,
    Promise,
  };
  runInNewContext(readFileSync(join(ROOT, "public/sw.js"), "utf8"), context);
  return {
    cached,
    shown,
    opened,
    /** What the handler waits for or answers with; undefined if it ignores the event. */
    dispatch: async (event: string, more: Record<string, unknown> = {}) => {
      let outcome: unknown;
      const take = (value: unknown) => (outcome = value);
      handlers[event]?.({ waitUntil: take, respondWith: take, ...more });
      return await outcome;
    },
  };
}

const page = (url: string) => ({ request: { url, method: "GET", mode: "navigate" } });

test("the service worker caches only the offline page, and shows it without a connection", async () => {
  const worker = startWorker();
  await worker.dispatch("install");
  await worker.dispatch("activate");
  const answer = await worker.dispatch("fetch", page("/a1/test/customers"));
  expect(answer).toBe("fetched /a1/test/customers");
  const data = { request: { url: "/api/a1/test/customers", method: "GET", mode: "cors" } };
  await expect(worker.dispatch("fetch", data)).resolves.toBeUndefined();
  expect(worker.cached).toEqual(["/offline.html"]);
  const offline = startWorker({ isOnline: false });
  await expect(offline.dispatch("fetch", page("/a1/test"))).resolves.toBe(
    "cached /offline.html",
  );
});

test("a push notice is shown, and a click on it opens the page it names, if that page is of this site", async () => {
  const worker = startWorker();
  const message = {
    title: "Payment received",
    body: "A buyer paid.",
    url: "/a1/test/x",
    tag: "t",
  };
  await worker.dispatch("push", { data: { json: () => message } });
  expect(worker.shown).toMatchObject([
    {
      title: "Payment received",
      options: { body: "A buyer paid.", data: { url: "/a1/test/x" } },
    },
  ]);
  for (const url of ["/a1/test/x", "https://elsewhere.example/x", undefined])
    await worker.dispatch("notificationclick", {
      notification: { close: () => {}, data: { url } },
    });
  expect(worker.opened).toEqual([
    "https://desk.example/a1/test/x",
    "https://desk.example",
    "https://desk.example/",
  ]);
});
