/**
 * Shortcuts of one or two single keys: the only list, for the listener, the palette and the help (`?`).
 * A person can turn them off.
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
/**
 * A command with a shortcut. Palette and back stay on when single-key shortcuts are off: neither
 * dictation nor a mistyped letter triggers them.
 */
export type ShortcutCommand = CharacterCommand | "palette" | "back";

/** The labels of a shortcut's keys. */
export const shortcutKeys = (command: CharacterCommand): string[] =>
  CHARACTER_KEYS[command]
    .split(" ")
    .flatMap((key) => (/^[A-Z]$/.test(key) ? ["Shift", key.toLowerCase()] : [key]));

const PREFIX = "g";

type Press = Pick<KeyboardEvent, "key" | "code"> &
  Partial<Pick<KeyboardEvent, "shiftKey" | "ctrlKey" | "metaKey" | "altKey">>;

// Punctuation by the position of its key on a US keyboard, for other layouts.
const SIGNS: Record<string, [plain: string, shifted: string]> = {
  Slash: ["/", "?"],
  Comma: [",", "<"],
  BracketLeft: ["[", "{"],
  BracketRight: ["]", "}"],
};

/**
 * The Latin character of a key press; on a Nepali layout, the US character at that position. Only Shift
 * makes it upper case, not Caps Lock.
 */
export function characterOf({ key, code, shiftKey = false }: Press): string | null {
  if (/^[A-Za-z]$/.test(key)) return shiftKey ? key.toUpperCase() : key.toLowerCase();
  if (/^[!-~]$/.test(key)) return key;
  // Named keys, such as Escape, are Latin; Nepali characters are not.
  if (/^[ -~]*$/.test(key)) return null;
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter) return shiftKey ? letter : letter.toLowerCase();
  return SIGNS[code]?.[shiftKey ? 1 : 0] ?? null;
}

interface ShortcutReading {
  command: ShortcutCommand | null;
  /** The first key of a two-key shortcut. */
  prefix: string | null;
}

const NOTHING: ShortcutReading = { command: null, prefix: null };

/** @param before the first key of a two-key shortcut, if just pressed */
export function readShortcut(press: Press, before: string | null): ShortcutReading {
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

export const isCharacterCommand = (command: ShortcutCommand): command is CharacterCommand =>
  command !== "palette" && command !== "back";
