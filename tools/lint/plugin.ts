import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { forbiddenImport } from "./boundaries.ts";
import { retiredWordOf, retiredWords } from "./terms.ts";
import { isBareText, type WordNode } from "./words.ts";

const ROOT = resolve(import.meta.dirname, "../..");

interface ImportNode {
  /** The imported path; undefined if it is computed. */
  source: { value?: string } | null;
}
interface RuleContext {
  filename: string;
  cwd?: string;
  report: (problem: { node: ImportNode; message: string }) => void;
}

/** Resolves `#lib/x.ts` and `../lib/x.ts` to the same file; null for packages. */
function projectPath(root: string, file: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (!specifier.startsWith(".")) return null;
  return relative(root, join(dirname(file), specifier)).replaceAll("\\", "/");
}

const boundaries = {
  create(context: RuleContext) {
    const root = context.cwd ?? ROOT;
    const check = (node: ImportNode) => {
      const specifier = node.source?.value;
      const to = specifier ? projectPath(root, context.filename, specifier) : null;
      const from = relative(root, context.filename).replaceAll("\\", "/");
      const message = to ? forbiddenImport(from, to) : null;
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportAllDeclaration: check,
      ExportNamedDeclaration: check,
      ImportExpression: check,
    };
  },
};

interface WordContext {
  filename: string;
  report: (problem: { node: WordNode; message: string }) => void;
}

const words = {
  create(context: WordContext) {
    const check = (node: WordNode) => {
      if (isBareText(node))
        context.report({
          node,
          message:
            "What people read comes from lib/i18n/messages: docs/decisions/0159-languages-and-dates.md.",
        });
    };
    return { JSXText: check, Literal: check, TemplateLiteral: check };
  },
};

interface Declaration {
  id?: { name?: string } | null;
}
interface TermContext {
  filename: string;
  report: (problem: { node: Declaration; message: string }) => void;
}

const terms = {
  create(context: TermContext) {
    const retired = retiredWords(readFileSync(join(ROOT, "docs/glossary.md"), "utf8"));
    const check = (node: Declaration, name: string | undefined) => {
      const word = name ? retiredWordOf(name, retired) : null;
      if (word)
        context.report({
          node,
          message: `${name}: docs/glossary.md has another word: ${word.use}.`,
        });
    };
    const declared = (node: Declaration) => check(node, node.id?.name);
    return {
      Program: (node: Declaration) =>
        check(node, relative(ROOT, context.filename).replace(/\.\w+$/, "")),
      FunctionDeclaration: declared,
      ClassDeclaration: declared,
      VariableDeclarator: declared,
      TSInterfaceDeclaration: declared,
      TSTypeAliasDeclaration: declared,
    };
  },
};

export default { meta: { name: "duebook" }, rules: { boundaries, terms, words } };
