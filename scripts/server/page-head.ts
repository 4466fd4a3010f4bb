import type { ServerResponse } from "node:http";
import { nonceOf, POLICY_HEADER } from "#lib/auth/content-policy.ts";
import { setOpeningSender } from "#lib/trace.ts";
import { START } from "./page-start.ts";

const HEAD_START = "<head>";
const HEAD_END = "</head>";
/** In the head of pages with app/layout.tsx; a page that failed to render has only scripts. */
const LAYOUT = 'href="#page-end"';
const SCRIPT =
  /<script src="(\/_next\/static\/chunks\/[^"]+)" async="" nonce="([^"]+)"><\/script>/g;
const NONCE = / nonce="([^"]+)"/;
const ID = / id="(\w+)"/;
/** React would fetch the script that starts the page last, but all others wait for it. */
const LAST = 'as="script" fetchPriority="low"';
/** A link to a layout's words, which components/shell/client-messages.tsx writes. */
const WORDS = /<link rel="preload" href="(\/api\/words\?[^"]+)&amp;of=([^"&]+)"([^>]*)>/g;

type FlushableResponse = ServerResponse & { flush?: () => void };

/** The start of a page's document up to its style sheet, which differs between requests only in the nonce. */
interface Opening {
  headers: Headers;
  /** What stands before, between and after the nonces. */
  parts: string[];
}

/** The opening of pages that read data, by language; known after the first such page. */
const openings = new Map<string, Opening>();
const OPENING = /^.*<link rel="stylesheet"[^>]*>/s;
const OPENING_HEADERS = ["content-type", "cache-control", "vary"];

/**
 * Changes what Next.js sends as a page, for which it has no options.
 * - The scripts in the head wait until START runs them after the first paint. React writes them as `async`, so
 *   that the browser would compile them while it lays out the page.
 * - A page that waits for its reads sends its opening meanwhile, so that the browser has the style sheet when
 *   the rest arrives. React would send nothing until then.
 * - The words of the page and of the layouts around it become one request.
 * - Next.js has each of the twenty pieces of a page compressed and sent by itself; those of one turn of the
 *   event loop are sent as one.
 */
export function rewritePage(response: FlushableResponse): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  const flush = response.flush?.bind(response);
  let pieces: Uint8Array[] = [];
  let [isPast, isScheduled] = [false, false];
  let language: string | null = null;
  let opening: string | null = null;

  const sendOpening = (pageLanguage: string) => {
    language = pageLanguage;
    const nonce = nonceOf(String(response.getHeader(POLICY_HEADER)));
    const known = openings.get(language);
    if (!known || !nonce || opening !== null || response.headersSent || pieces.length > 0)
      return;
    opening = known.parts.join(nonce);
    response.setHeaders(known.headers);
    write(Buffer.from(opening));
    flush?.();
    pretendUnsent(response);
  };
  if (response.req.method === "GET" && !("rsc" in response.req.headers))
    setOpeningSender(sendOpening);

  const send = (isLast: boolean) => {
    isScheduled = false;
    // Compression asks whether the headers are sent.
    Reflect.deleteProperty(response, "headersSent");
    if (pieces.length === 0) return;
    let text = Buffer.concat(pieces);
    if (!isPast) {
      const changed = changeHead(text);
      if (!changed && !isLast) return;
      isPast = true;
      text = changed ?? text;
      if (opening !== null) text = withoutOpening(text, opening);
      else if (language !== null) keepOpening(language, text, response);
    }
    pieces = [];
    write(text);
    if (!isLast) flush?.();
  };

  response.write = (chunk: unknown, ...others: unknown[]) => {
    if (!(chunk instanceof Uint8Array) || !isStreamedPage(response))
      return write(chunk, ...others);
    pieces.push(chunk);
    if (!isScheduled) setImmediate(send, false);
    isScheduled = true;
    return true;
  };
  response.flush = () => {
    if (!isStreamedPage(response)) flush?.();
  };
  response.end = (...values: unknown[]) => {
    send(true);
    return end(...values);
  };
}

/** Next.js would drop the page if the headers were sent; it sets them when the page is ready. */
function pretendUnsent(response: ServerResponse) {
  const unchanged = () => response;
  const ignored = { setHeader: unchanged, appendHeader: unchanged, writeHead: unchanged };
  Object.assign(response, ignored, { removeHeader: () => {} });
  Object.defineProperty(response, "headersSent", { value: false, configurable: true });
}

function keepOpening(language: string, page: Buffer, response: ServerResponse) {
  const head = page.toString("utf8", 0, page.indexOf(HEAD_END));
  const [opening] = OPENING.exec(head) ?? [];
  const [, nonce] = NONCE.exec(head) ?? [];
  if (!opening || !nonce || !head.includes(LAYOUT)) return;
  const headers = new Headers();
  for (const name of OPENING_HEADERS) headers.set(name, String(response.getHeader(name)));
  openings.set(language, { headers, parts: opening.split(nonce) });
}

function withoutOpening(page: Buffer<ArrayBuffer>, opening: string): Buffer<ArrayBuffer> {
  const length = Buffer.byteLength(opening);
  if (page.toString("utf8", 0, length) === opening) return page.subarray(length);
  // A page that failed to render has another start, whose id tells Next.js to render it in the browser.
  const start = page.toString("utf8", 0, page.indexOf(HEAD_START));
  const [, id] = ID.exec(start) ?? [];
  const [, nonce] = NONCE.exec(opening) ?? [];
  const script = `<script nonce="${nonce}">document.documentElement.id="${id}"</script>`;
  const rest = page.subarray(page.indexOf(HEAD_START) + HEAD_START.length);
  return id ? Buffer.concat([Buffer.from(script), rest]) : rest;
}

/** @returns the page's start with a changed head; null if its head is not complete */
function changeHead(start: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> | null {
  const length = start.indexOf(HEAD_END);
  if (length < 0) return null;
  const head = start.toString("utf8", 0, length);
  if (!head.includes(LAYOUT)) return start;
  return Buffer.concat([Buffer.from(startOf(head)), start.subarray(length)]);
}

function startOf(head: string): string {
  const [, nonce] = NONCE.exec(head) ?? [];
  const start = `${HEAD_START}<script${nonce ? ` nonce="${nonce}"` : ""}>${START}</script>`;
  const links = joinWords(head.replace(SCRIPT, LINK).replace(LAST, 'as="script"'));
  return links.replace(HEAD_START, () => start);
}

/** A link without `rel`, which browsers do not fetch. */
const LINK = '<link href="$1" nonce="$2" data-run=""/>';

function joinWords(head: string): string {
  const names = [...head.matchAll(WORDS)].map(([, , name]) => `&amp;of=${name}`).join("");
  let isFirst = true;
  return head.replace(WORDS, (_link, address: string, _name, rest: string) => {
    if (!isFirst) return "";
    isFirst = false;
    return `<link rel="preload" href="${address}${names}"${rest}>`;
  });
}

const isStreamedPage = (response: ServerResponse) =>
  String(response.getHeader("content-type")).startsWith("text/html") &&
  !response.hasHeader("content-length");
