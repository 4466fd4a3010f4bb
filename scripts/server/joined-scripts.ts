import { createHash } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The scripts of each page; also what `npm run check bundle` measures. */
const STATS = "diagnostics/route-bundle-stats.json";
const PAGES = "server/app/**/page_client-reference-manifest.js";
const STARTS = "{.,server,server/app/**}/*build-manifest.{json,js}";

const LIST = /\[\s*"[^"[\]]*static\/chunks\/[^"[\]]+\.js"[^[\]]*\]/g;
const START_LIST = /(?<="rootMainFiles":\s*)\[[^\]]+\]/g;
const SCRIPT = /static\/chunks\/[^"]+\.js/;

/** The code by which a script tells Turbopack its address; a string with the address would do too. */
const OWN_ADDRESS = '["object"==typeof document?document.currentScript:void 0';
const REGISTER = `(globalThis.TURBOPACK||(globalThis.TURBOPACK=[])).push(${OWN_ADDRESS}]);`;

/**
 * Joins the scripts that no page loads without each other, such as those of every page, of the frame, or
 * of one page. Without this a page makes 15 requests for its scripts, with it 5, and a text compresses
 * better in one piece. Turbopack can be told to join more, but weighs requests against modules that are
 * sent twice; here none is.
 * @param folder the finished build
 * @throws if the build's files are not as this expects
 */
export function joinScripts(folder: string): void {
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  const [startList] = read("build-manifest.json").match(START_LIST) ?? [];
  if (startList === undefined)
    throw new Error(
      "the list of scripts that start a page was not found in build-manifest.json.",
    );
  // The first script is at the end of the page and not in its head, and runs at once.
  const [first, ...start] = JSON.parse(startList) as string[];
  const pages = (JSON.parse(read(STATS)) as { firstLoadChunkPaths: string[] }[]).map((page) =>
    page.firstLoadChunkPaths.map(scriptOf).filter((script) => script !== first),
  );
  const groups = Map.groupBy(new Set([...start, ...pages.flat()]), (script) =>
    pages.flatMap((scripts, at) => (scripts.includes(script) ? at : [])).join(),
  );

  const joined = new Map<string, string>();
  for (const parts of groups.values()) {
    const text = [...parts.map((part) => withAddress(part, read(part))), REGISTER].join(";\n");
    const hash = createHash("sha256").update(text).digest("base64url").slice(0, 13);
    const name = `static/chunks/${hash}.js`;
    if (parts.length > 1) writeFileSync(join(folder, name), text);
    for (const part of parts) joined.set(part, parts.length > 1 ? name : part);
  }

  const joinList = (list: string) => {
    const paths = (JSON.parse(list) as string[]).map((path) =>
      path.replace(SCRIPT, (script) => joined.get(script) ?? script),
    );
    return JSON.stringify([...new Set(paths)]);
  };
  for (const [files, lists] of [
    [PAGES, LIST],
    [STARTS, START_LIST],
    [STATS, LIST],
  ] as const)
    for (const file of globSync(files, { cwd: folder }))
      writeFileSync(join(folder, file), read(file).replace(lists, joinList));
}

function scriptOf(path: string): string {
  const [script] = SCRIPT.exec(path) ?? [];
  if (script === undefined) throw new Error(`'${path}' is no script of a page.`);
  return script;
}

/** Writes the script's address into its code; the runtime has no such place. */
const withAddress = (script: string, text: string) =>
  text.replace(OWN_ADDRESS, `[${JSON.stringify(script)}`);
