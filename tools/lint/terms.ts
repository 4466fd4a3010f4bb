/** A retired word, as its parts in lower case, and the word to use instead. */
interface RetiredWord {
  parts: string[];
  use: string;
}

const ROW = /^\| (\w+) \| (.+?) \|$/gm;

/** The table of retired words at the end of docs/glossary.md. */
export function retiredWords(glossary: string): RetiredWord[] {
  const table = glossary.slice(glossary.indexOf("<!-- retired words"));
  return Array.from(table.matchAll(ROW), ([, word = "", use = ""]) => ({
    parts: partsOf(word),
    use,
  })).filter(({ parts }) => parts[0] !== "retired");
}

/** The parts of a name: those of `indexStatus`, `IndexStatus` and `index-status` are the same. */
const partsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);

/** The first retired word in a name, or null. */
export function retiredWordOf(name: string, words: readonly RetiredWord[]): RetiredWord | null {
  const parts = partsOf(name).join("-");
  return words.find((word) => `-${parts}-`.includes(`-${word.parts.join("-")}-`)) ?? null;
}

const DECLARED = /\b(?:function\*?|class|interface|type|enum|const|let) ([A-Za-z_]\w*)/g;

/** Retired words in the name of a file and in the names that it declares. */
export function retiredIn(file: string, text: string, words: readonly RetiredWord[]): string[] {
  const names = [
    file.replace(/\.\w+$/, ""),
    ...Array.from(text.matchAll(DECLARED), ([, name = ""]) => name),
  ];
  return names.flatMap((name) => {
    const word = retiredWordOf(name, words);
    return word ? [`${file}: ${name} (use ${word.use})`] : [];
  });
}
