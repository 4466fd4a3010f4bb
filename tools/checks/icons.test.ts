import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "#scripts/process/settings.ts";
import { addressSprite, definedIcons, drawSprite, ICONS, SPRITE } from "./icons.ts";

const source = readFileSync(ICONS, "utf8");
const IMPORT = /import (?:type )?\{([^}]*)\} from "#components\/ui\/icons\.tsx";/g;

test("the icon sprite matches the icons that the code defines, and its URL has the hash of its content", () => {
  const sprite = readFileSync(SPRITE, "utf8");
  expect(sprite).toBe(drawSprite(definedIcons(source)));
  expect(source).toBe(addressSprite(source, sprite));
});

test("each icon is exported under its own name and used by a component", () => {
  const exported = Array.from(source.matchAll(/^export const (\w+)/gm), ([, name]) => name);
  expect(definedIcons(source)).toEqual(exported);
  const used = globSync("{app,components}/**/*.tsx", { cwd: ROOT }).flatMap((file) =>
    Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(IMPORT), ([, names = ""]) =>
      names.split(/[\s,]+/),
    ).flat(),
  );
  expect(exported.filter((name) => !used.includes(name ?? ""))).toEqual([]);
});

test("a symbol of the icon sprite has Lucide's shapes without stroke attributes", () => {
  expect(drawSprite(["Plus"])).toContain(
    '<symbol id="Plus" viewBox="0 0 24 24"><path d="M5 12h14"/><path d="M12 5v14"/></symbol>',
  );
  expect(() => drawSprite(["Nothing"])).toThrow("Lucide has no icon Nothing.");
});

test("the URL of the icon sprite changes with its content", () => {
  const address = (sprite: string) => addressSprite('const SPRITE = "/icons.svg?a";', sprite);
  expect(address("one")).toMatch(/"\/icons\.svg\?[\da-f]{6}"/);
  expect(address("one")).not.toBe(address("two"));
});
