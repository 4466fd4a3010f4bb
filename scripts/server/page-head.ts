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

/**
 * Makes the head of a page fetch its scripts without running them; START runs
 * them after the first paint. React writes them as `async`: on a later visit they are there before the page is
 * parsed, and their evaluation would delay the paint. Next.js has no option for this. The words of the page and
 * of the layouts around it become one request.
 */
export function rewriteHead(response: ServerResponse): void {
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  // latin1 keeps each byte of a letter that is split between two chunks.
  let head = "";
  let isPast = false;

  const takeHead = (chunk: unknown): unknown => {
    if (isPast || !isStreamedPage(response) || !(chunk instanceof Uint8Array)) return chunk;
    head += Buffer.from(chunk).toString("latin1");
    const length = head.indexOf(HEAD_END);
    if (length < 0) return null;
    isPast = true;
    const before = head.slice(0, length);
    const start = before.includes(LAYOUT) ? startOf(before) : before;
    return Buffer.from(start + head.slice(length), "latin1");
  };

  response.write = (chunk: unknown, ...others: unknown[]) => {
    const text = takeHead(chunk);
    return text === null || write(text, ...others);
  };
  response.end = (...values: unknown[]) => {
    if (!isPast && head) write(Buffer.from(head, "latin1"));
    isPast = true;
    return end(...values);
  };
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
