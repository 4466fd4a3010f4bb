/**
 * What single characters do, one after the other where there are two: the one list that listens, that
 * the palette shows and that `?` explains. A person can switch all of them off.
 */
export const CHARACTER_KEYS = {
  nextRow: "j",
  previousRow: "k",
  select: "x",
  selectTo: "X",
  previousPage: "[",
  nextPage: "]",
  search: "/",
  create: "c",
  message: "m",
  copyLink: "l",
  showCode: "q",
  promise: "p",
  snooze: "z",
  assign: "a",
  note: "n",
  undo: "u",
  prepare: "w",
  skip: "s",
  overview: "g o",
  collection: "g d",
  subscriptions: "g s",
  customers: "g c",
  products: "g p",
  reports: "g f",
  notifications: "g n",
  webhooks: "g w",
  sandbox: "g x",
  settings: "g ,",
  keys: "?",
} as const;

export type CharacterCommand = keyof typeof CHARACTER_KEYS;
/** What cannot be switched off, because no text that is dictated or typed by mistake sets it off. */
export type Command = CharacterCommand | "palette" | "back";

/** As keys are named to whoever presses them. */
export const keysOf = (command: CharacterCommand): string[] =>
  CHARACTER_KEYS[command]
    .split(" ")
    .flatMap((key) => (/^[A-Z]$/.test(key) ? ["Shift", key.toLowerCase()] : [key]));

const PREFIX = "g";

type Press = Pick<KeyboardEvent, "key" | "code"> &
  Partial<Pick<KeyboardEvent, "shiftKey" | "ctrlKey" | "metaKey" | "altKey">>;

// Where these stand on a US keyboard, for layouts that have other signs there.
const SIGNS: Record<string, [plain: string, shifted: string]> = {
  Slash: ["/", "?"],
  Comma: [",", "<"],
  BracketLeft: ["[", "{"],
  BracketRight: ["]", "}"],
};

/**
 * The Latin character of a press, on a Nepali layout the one that a US keyboard has at that place: a
 * capital one with Shift alone, whatever is locked.
 */
export function characterOf({ key, code, shiftKey = false }: Press): string | null {
  if (/^[A-Za-z]$/.test(key)) return shiftKey ? key.toUpperCase() : key.toLowerCase();
  if (/^[!-~]$/.test(key)) return key;
  // Names of keys are Latin; what somebody writes here is not.
  if (/^[ -~]*$/.test(key)) return null;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS[code]?.[shiftKey ? 1 : 0] ?? null;
}

export interface Reading {
  command: Command | null;
  /** A first key that waits for its second. */
  prefix: string | null;
}

const NOTHING: Reading = { command: null, prefix: null };

/** @param before the first key of two, when it was pressed just now */
export function readPress(press: Press, before: string | null): Reading {
  const { ctrlKey, metaKey, altKey, shiftKey } = press;
  if (press.key === "Escape") return { command: "back", prefix: null };
  if (ctrlKey || metaKey || altKey) {
    const isPalette = !altKey && !shiftKey && characterOf(press) === "k";
    return isPalette ? { command: "palette", prefix: null } : NOTHING;
  }
  const character = characterOf(press);
  if (character === null) return NOTHING;
  const pressed = before === null ? character : `${before} ${character}`;
  const command = COMMANDS.find((name) => CHARACTER_KEYS[name] === pressed) ?? null;
  return { command, prefix: before === null && character === PREFIX ? PREFIX : null };
}

const COMMANDS = Object.keys(CHARACTER_KEYS) as CharacterCommand[];

export const isCharacterCommand = (command: Command): command is CharacterCommand =>
  command !== "palette" && command !== "back";
