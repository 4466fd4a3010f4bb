import { dirname, join, relative, resolve } from "node:path";
import { forbiddenImport } from "./boundaries.ts";

const ROOT = resolve(import.meta.dirname, "../..");

interface ImportNode {
  source: { value: string } | null;
}
interface RuleContext {
  filename: string;
  cwd?: string;
  report: (problem: { node: ImportNode; message: string }) => void;
}

/** `#lib/x.ts` and `../lib/x.ts` are one file; a package is none of ours. */
function projectPath(root: string, file: string, specifier: string): string | null {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (!specifier.startsWith(".")) return null;
  return relative(root, join(dirname(file), specifier)).replaceAll("\\", "/");
}

const boundaries = {
  create(context: RuleContext) {
    const root = context.cwd ?? ROOT;
    const check = (node: ImportNode) => {
      const to = node.source && projectPath(root, context.filename, node.source.value);
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

export default { meta: { name: "duebook" }, rules: { boundaries } };
