import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format, resolveConfig } from "prettier";
import { ROOT } from "#scripts/process/settings.ts";

const PAGE = "docs/integrate.md";
const FENCE = /^```(\w+) (\S+)\n([\s\S]*?\n)```$/gm;
const LANGUAGES: Record<string, string> = {
  sh: "curl",
  js: "node",
  python: "python",
  php: "php",
};

/** The modules that show the page's examples elsewhere, and the files of which each is made. */
const MODULES: Record<string, Record<string, string[]>> = {
  "contract/generated/first-request.ts": {
    FIRST_REQUEST: ["try.sh", "try.mjs", "try.py", "try.php"],
  },
  "contract/generated/verify-snippets.ts": {
    SNIPPETS: ["verify.mjs", "verify.py", "verify.php"],
  },
  "contract/generated/programs.ts": {
    CREATE_PROGRAMS: ["shop.sh", "shop.mjs", "shop.py", "shop.php"],
    RECEIVE_PROGRAMS: ["hook.mjs", "hook.py", "hook.php"],
  },
};

export interface Snippet {
  /** “curl”, “node”, “python” or “php”. */
  language: string;
  code: string;
}

/** The examples of docs/integrate.md by file name. */
export const readSnippets = (): Map<string, Snippet> =>
  new Map(
    Array.from(
      readFileSync(join(ROOT, PAGE), "utf8").matchAll(FENCE),
      ([, language = "", file = "", code = ""]): [string, Snippet] => [
        file,
        { language: LANGUAGES[language] ?? language, code },
      ],
    ),
  );

/** The modules with the page's examples, by path. @throws Error for an example that is not there */
export async function snippetModules(): Promise<Map<string, string>> {
  const snippets = readSnippets();
  const modules = new Map<string, string>();
  for (const [path, constants] of Object.entries(MODULES)) {
    const texts = Object.entries(constants).map(([name, files]) => {
      const found = files.map((file) => {
        const snippet = snippets.get(file);
        if (!snippet) throw new Error(`${PAGE} has no ${file}.`);
        const code = snippet.code.replace(/[\\`]|\$\{/g, (special) => `\\${special}`);
        return `{ language: "${snippet.language}", code: \`${code}\` }`;
      });
      return `export const ${name} = [${found.join(", ")}] as const;`;
    });
    const head = `// Generated from ${PAGE} by npm run check docs -- --write\n\n`;
    const filepath = join(ROOT, path);
    const options = await resolveConfig(filepath);
    modules.set(path, await format(head + texts.join("\n\n"), { ...options, filepath }));
  }
  return modules;
}
