export interface Header {
  /** As it was written. */
  name: string;
  value: string;
}

export interface ShellRequest {
  url: string | null;
  headers: Header[];
  body: string;
}

const BODY = new Set([
  "-d",
  "--data",
  "--data-raw",
  "--data-binary",
  "--data-ascii",
  "--json",
  "--data-urlencode",
]);
/** Of curl's other options, those that take a word. */
const WITH_WORD =
  /^(-[XAuemobcxFKTUEw]|--(request|user-agent|user|max-time|output|proxy|url))$/;

/** A curl command as a shell reads it, or null. */
export function readCurl(text: string): ShellRequest | null {
  const [name, ...words] = shellWords(text.trim().replace(/^\$\s+/, ""));
  if (name !== "curl" && name !== "curl.exe") return null;
  const request: ShellRequest = { url: null, headers: [], body: "" };
  for (let at = 0; at < words.length; at++) {
    const [option, glued] = parted(words[at] ?? "");
    const word = () => glued ?? words[++at] ?? "";
    if (option === "-H" || option === "--header") addHeader(request, word());
    else if (BODY.has(option)) request.body += word();
    else if (option === "--url") request.url = word();
    else if (WITH_WORD.test(option)) word();
    else if (!option.startsWith("-")) request.url ??= option;
  }
  return request;
}

/** "-HName: value" and "--header=…" are one word of two parts. */
function parted(word: string): [string, string | null] {
  const long = /^(--[a-z-]+)=([\s\S]*)$/.exec(word);
  if (long) return [long[1] ?? "", long[2] ?? ""];
  const short = /^(-[HdX])([\s\S]+)$/.exec(word);
  return short ? [short[1] ?? "", short[2] ?? ""] : [word, null];
}

function addHeader(request: ShellRequest, line: string) {
  const colon = line.indexOf(":");
  if (colon > 0)
    request.headers.push({
      name: line.slice(0, colon).trim(),
      value: line.slice(colon + 1).trim(),
    });
}

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t", "0": "\0" };

/** Words as sh parts them: '…', "…", $'…', and a backslash before one character or a line's end. */
export function shellWords(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  const add = (more: string) => (word = (word ?? "") + more);
  const quoted = (end: string, read: (from: number) => number) => {
    add("");
    while (at < text.length && text[at] !== end) at = read(at);
    at++;
  };
  const verbatim = (from: number) => {
    add(text[from] ?? "");
    return from + 1;
  };
  const escaped = (kept: (next: string) => string) => (from: number) => {
    if (text[from] !== "\\") return verbatim(from);
    add(kept(text[from + 1] ?? ""));
    return from + 2;
  };
  while (at < text.length) {
    const character = text[at] ?? "";
    if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      at++;
    } else if (character === "'") {
      at++;
      quoted("'", verbatim);
    } else if (character === "$" && text[at + 1] === "'") {
      at += 2;
      quoted("'", ansi);
    } else if (character === '"') {
      at++;
      quoted(
        '"',
        escaped((next) => (/["\\$`]/.test(next) ? next : next === "\n" ? "" : `\\${next}`)),
      );
    } else if (character === "\\" || (character === "^" && /[\r\n]/.test(text[at + 1] ?? ""))) {
      const lineEnd = /^.\r?\n/.exec(text.slice(at, at + 3))?.[0];
      if (lineEnd) at += lineEnd.length;
      else at = escaped((next) => next)(at);
    } else at = verbatim(at);
  }
  return word === null ? words : [...words, word];

  function ansi(from: number): number {
    const code = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4}))/i.exec(text.slice(from, from + 6));
    if (!code) return escaped((next) => ESCAPES[next] ?? next)(from);
    add(String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16)));
    return from + code[0].length;
  }
}
