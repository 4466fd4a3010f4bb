/** Markup that is safe to send: only `html` creates it, and it escapes all values. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | null | undefined | false | Value[];

const ESCAPES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escape = (text: string) =>
  text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(render).join("");
  return value === null || value === undefined || value === false ? "" : escape(String(value));
}

/** A template whose values are escaped; null, undefined and false print nothing. */
export const html = (parts: TemplateStringsArray, ...values: Value[]) =>
  new Html(parts.reduce((text, part, index) => text + render(values[index - 1]) + part));
