import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { rewritePage } from "./page-head.ts";
import { START } from "./page-start.ts";

const SCRIPT = '<script src="/_next/static/chunks/a-1.js" async="" nonce="n+/="></script>';
const LINK =
  '<link rel="preload" as="script" href="/_next/static/chunks/a-1.js" nonce="n+/=" data-run=""/>';
const LAYOUT = '<link rel="expect" href="#page-end" blocking="render"/>';
const wordsLink = (names: string) =>
  `<link rel="preload" href="/api/words?language=en&amp;version=1${names}" as="fetch" crossorigin=""/>`;
const FIRST = '<link rel="preload" as="script" fetchPriority="low" nonce="n" href="/a.js"/>';
const FAILED = `<html id="__next_error__"><head>${SCRIPT}</head><body></body></html>`;
const PAGE = `<html><head>${SCRIPT}${LAYOUT}<title>पसल</title>${SCRIPT}</head><body>पसल ${SCRIPT}</body></html>`;
const RUN = `<script nonce="n+/=">${START}</script>`;
const CHANGED = `<html><head>${RUN}${LINK}${LAYOUT}<title>पसल</title>${LINK}</head><body>पसल ${SCRIPT}</body></html>`;

const START_TAG = /<script[^>]*>{.*?<\/script>/s;

/** The text that a browser receives of a body that is written in pieces of this many bytes. */
async function receive(body: string, type: string, bytes: number): Promise<string> {
  const buffer = Buffer.from(body);
  const writeIn = async (response: ServerResponse) => {
    for (let at = 0; at < buffer.length; at += bytes) {
      response.write(buffer.subarray(at, at + bytes));
      // Only after some pieces, because those of one turn are sent as one.
      if (at % 2 === 0) await nextTurn();
    }
    response.end();
  };
  const server = createServer((_request, response) => {
    rewritePage(response);
    response.setHeader("content-type", type);
    void writeIn(response);
  }).listen(0);
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (await fetch(`http://localhost:${port}`)).text();
}

test.each([1, 7, 100, 100_000])(
  "scripts in the head of a page are changed to preloads, even if the page arrives in pieces of %d bytes",
  async (bytes) => {
    expect(await receive(PAGE, "text/html; charset=utf-8", bytes)).toBe(CHANGED);
  },
);

test("the interface texts of a page and of its layouts are fetched by one request", async () => {
  const [root, list] = ["&amp;of=root", "&amp;of=subscriptions%2Flist"];
  const pageWith = (...links: string[]) =>
    `<html><head>${LAYOUT}${links.join("<meta>")}</head><body></body></html>`;
  const sent = pageWith(wordsLink(root), wordsLink(list));
  const received = await receive(sent, "text/html", 100);
  expect(received.replace(START_TAG, "")).toBe(pageWith(wordsLink(root + list), ""));
});

test("the script that starts the page loses its low fetch priority", async () => {
  const page = `<html><head>${FIRST}${LAYOUT}</head></html>`;
  const received = await receive(page, "text/html", 100);
  expect(received.replace(START_TAG, "")).toBe(page.replace(' fetchPriority="low"', ""));
});

test("a page without head or layout, and a file that is not a page, are not changed", async () => {
  expect(await receive(FAILED, "text/html", 9)).toBe(FAILED);
  expect(await receive(SCRIPT, "text/html", 9)).toBe(SCRIPT);
  expect(await receive(PAGE, "application/json", 9)).toBe(PAGE);
});
