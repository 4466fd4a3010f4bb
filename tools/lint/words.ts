/** The parts of a syntax tree that the rule uses. */
export interface WordNode {
  type: string;
  value?: unknown;
  parent?: WordNode;
  name?: { name?: string } | string;
  key?: WordNode;
  callee?: WordNode;
  quasis?: { value: { raw: string } }[];
}

/** Attributes and properties whose text people read. */
const READ = new Set([
  "advice",
  "alt",
  "aria-label",
  "aria-valuetext",
  "description",
  "heading",
  "hint",
  "label",
  "placeholder",
  "text",
  "title",
]);
const LETTERS = /\p{L}{2}/u;
const SENTENCE = /^\p{Lu}[\p{L}'’]*[ ,.:][^/]*$/u;

/**
 * Whether a text in the code is shown to people, so that it has to be translated by a catalogue.
 */
export function isBareText(node: WordNode): boolean {
  const text = textOf(node);
  if (text === null || !LETTERS.test(text)) return false;
  if (node.type === "JSXText") return true;
  if (isForDevelopers(node)) return false;
  return SENTENCE.test(text.trim()) || isShown(node);
}

function textOf({ type, value, quasis }: WordNode): string | null {
  if (type === "TemplateLiteral") return (quasis ?? []).map((part) => part.value.raw).join("…");
  return typeof value === "string" ? value : null;
}

/** Whether the text is for developers: an error that no page shows, or a directive. */
function isForDevelopers({ parent }: WordNode): boolean {
  return parent?.type === "NewExpression" || parent?.type === "ExpressionStatement";
}

/**
 * Whether the text is a child of an element, or the value of an attribute or property that people
 * read, also in a condition.
 */
function isShown(node: WordNode): boolean {
  let at = node.parent;
  while (at?.type === "ConditionalExpression" || at?.type === "LogicalExpression")
    at = at.parent;
  if (at?.type === "JSXExpressionContainer") at = at.parent;
  if (at?.type === "JSXElement" || at?.type === "JSXFragment") return true;
  if (at?.type === "JSXAttribute")
    return READ.has(typeof at.name === "string" ? at.name : (at.name?.name ?? ""));
  if (at?.type === "Property" && at.key !== node) return READ.has(nameOf(at.key));
  return false;
}

function nameOf(key: WordNode | undefined): string {
  if (typeof key?.name === "string") return key.name;
  return typeof key?.value === "string" ? key.value : "";
}
