import { describe, expect, test } from "vitest";
import { CHARACTER_KEYS, characterOf, readShortcut } from "./keys.ts";

const press = (key: string, rest = {}) => ({ key, code: "", ...rest });
const read = (...keys: Parameters<typeof readShortcut>[0][]) =>
  keys.reduce<ReturnType<typeof readShortcut>>(
    (before, key) => readShortcut(key, before.prefix),
    {
      command: null,
      prefix: null,
    },
  ).command;

test("no two commands have the same key", () => {
  const keys = Object.values(CHARACTER_KEYS);
  expect(new Set(keys).size).toBe(keys.length);
});

describe("a key press", () => {
  test("of a shortcut key runs its command", () => {
    expect(read(press("j", { code: "KeyJ" }))).toBe("nextRow");
    expect(read(press("?", { code: "Slash", shiftKey: true }))).toBe("keys");
    expect(read(press("?", { code: "Minus", shiftKey: true }))).toBe("keys");
    expect(read(press("y", { code: "KeyY" }))).toBeNull();
  });

  test("after the prefix g runs the command of the two keys", () => {
    expect(read(press("g"), press("s"))).toBe("subscriptions");
    expect(read(press("g"), press(","))).toBe("settings");
    expect(read(press("g"), press("c"))).toBe("customers");
    expect(read(press("c"))).toBe("create");
    expect(read(press("g"), press("j"))).toBeNull();
    expect(read(press("g"), press("g"), press("s"))).toBe("skip");
  });

  test("with Ctrl or Meta opens only the palette", () => {
    expect(read(press("k", { ctrlKey: true }))).toBe("palette");
    expect(read(press("k", { metaKey: true }))).toBe("palette");
    expect(read(press("k", { ctrlKey: true, altKey: true }))).toBeNull();
    expect(read(press("c", { ctrlKey: true }))).toBeNull();
  });

  test("with Shift is a different shortcut, and Caps Lock is ignored", () => {
    expect(read(press("J"))).toBe("nextRow");
    expect(read(press("J", { shiftKey: true }))).toBeNull();
    expect(read(press("X", { shiftKey: true }))).toBe("selectTo");
    expect(read(press("x", { shiftKey: true }))).toBe("selectTo");
    expect(read(press("g"), press("S", { shiftKey: true }))).toBeNull();
  });

  test("on a Nepali keyboard layout is recognised by the position of the key", () => {
    expect(read(press("ज", { code: "KeyJ" }))).toBe("nextRow");
    expect(read(press("ग", { code: "KeyG" }), press("स", { code: "KeyS" }))).toBe(
      "subscriptions",
    );
    expect(read(press("र", { code: "Slash", shiftKey: true }))).toBe("keys");
    expect(read(press("ज्ञ", { code: "BracketRight" }))).toBe("nextPage");
    expect(read(press("प", { code: "KeyK", ctrlKey: true }))).toBe("palette");
  });

  test("of a key without a character runs no command, except Escape", () => {
    expect(characterOf(press("ArrowDown", { code: "ArrowDown" }))).toBeNull();
    expect(characterOf(press("Dead", { code: "KeyX" }))).toBeNull();
    expect(read(press("Escape"))).toBe("back");
  });
});
