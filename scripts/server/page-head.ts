import type { ServerResponse } from "node:http";
import { START } from "./page-start.ts";

const HEAD_START = "<head>";
const HEAD_END = "</head>";
/** In the head of pages with app/layout.tsx; a page that failed to render has only scripts. */
const LAYOUT = 'href="#page-end"';
const SCRIPT =
  /<script src="(\/_next\/static\/chunks\/[^"]+)" async="" nonce="([^"]+)"><\/script>/g;
const NONCE = / nonce="([^"]+)"/;
/** React would fetch the script that starts the page last, but all others wait for it. */
const LAST = 'as="script" fetchPriority="low"';
/** A link to a layout's words, which components/shell/client-messages.tsx writes. */
const WORDS = /<link rel="preload" href="(\/api\/words\?[^"]+)&amp;of=([^"&]+)"([^>]*)>/g;

type FlushableResponse = ServerResponse & { flush?: () => void };

/**
 * Makes the head of a page fetch its scripts without running them; START runs
 * them after the first paint. React writes them as `async`: on a later visit they are there before the page is
 * parsed, and their evaluation would delay the paint. Next.js has no option for this. The words of the page and
 * of the layouts around it become one request. Next.js has each of the twenty pieces of a page compressed and
 * sent by itself; those of one turn of the event loop are sent as one.
 */
export function rewritePage(response: FlushableResponse): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  const flush = response.flush?.bind(response);
  let pieces: Uint8Array[] = [];
  let [isPast, isScheduled] = [false, false];

  const send = (isLast: boolean) => {
    isScheduled = false;
    if (pieces.length === 0) return;
    let text = Buffer.concat(pieces);
    if (!isPast) {
      const changed = changeHead(text);
      if (!changed && !isLast) return;
      isPast = true;
      text = changed ?? text;
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

const LINK = '<link rel="preload" as="script" href="$1" nonce="$2" data-run=""/>';

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
