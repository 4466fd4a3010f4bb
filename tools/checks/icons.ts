import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { CommandFailure, runCommand } from "#scripts/process/command.ts";
import { ROOT } from "#scripts/process/settings.ts";

export const ICONS = join(ROOT, "components/ui/icons.tsx");
export const SPRITE = join(ROOT, "public/icons.svg");

const ADDRESS = /(?<=")\/icons\.svg\?[^"]*(?=")/;

const { version } = createRequire(import.meta.url)("lucide-react/package.json") as {
  version: string;
};

/** The icons that a module defines. */
export const definedIcons = (source: string): string[] =>
  Array.from(
    source.matchAll(/^export const (\w+) = icon\("\1"\);$/gm),
    ([, name = ""]) => name,
  );

/** Draws icons of Lucide as symbols of one file. Lines and colours come from `.icon` in globals.css. */
export function drawSprite(names: readonly string[]): string {
  const symbols = names.map(
    (name) => `<symbol id="${name}" viewBox="0 0 24 24">${shapesOf(name)}</symbol>\n`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg">
<!-- Icons of Lucide ${version} (ISC), in part of Feather (MIT): https://lucide.dev/license -->
${symbols.join("")}</svg>
`;
}

function shapesOf(name: string): string {
  const icon = (lucide as unknown as Record<string, lucide.LucideIcon | undefined>)[name];
  if (!icon) throw new CommandFailure(`Lucide has no icon ${name}.`);
  const [, shapes = ""] =
    /^<svg[^>]*>(.*)<\/svg>$/.exec(renderToStaticMarkup(createElement(icon))) ?? [];
  return shapes.replaceAll(/><\/\w+>/g, "/>");
}

/** The module with the sprite's address, whose query is of the sprite's content. */
export function addressSprite(source: string, sprite: string): string {
  const hash = createHash("sha256").update(sprite).digest("hex").slice(0, 6);
  return source.replace(ADDRESS, `/icons.svg?${hash}`);
}

function writeIcons(): void {
  const source = readFileSync(ICONS, "utf8");
  const sprite = drawSprite(definedIcons(source));
  writeFileSync(SPRITE, sprite);
  writeFileSync(ICONS, addressSprite(source, sprite));
}

if (import.meta.main) await runCommand(async () => writeIcons());
