import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as lucide from "lucide-react";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import sharp from "sharp";
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

/** The module with the sprite's address, whose query is a hash of the sprite's content. */
export function addressSprite(source: string, sprite: string): string {
  const hash = createHash("sha256").update(sprite).digest("hex").slice(0, 6);
  return source.replace(ADDRESS, `/icons.svg?${hash}`);
}

const MARK = readFileSync(join(ROOT, "app/icon.svg"), "utf8");
const BACKGROUND = /<rect [^>]*>/;

/** Our mark as the icons of the installed app, by their size and file in public/. */
export const APP_ICONS = {
  "app-192.png": { size: 192, svg: MARK },
  "app-512.png": { size: 512, svg: MARK },
  // Systems cut this icon to their own shape; only a circle of four fifths of its width is always shown.
  "app-maskable.png": {
    size: 512,
    svg: MARK.replace(BACKGROUND, '<rect width="32" height="32" fill="#4636c4"/>'),
  },
  // Android shows only the shape of this icon, not its colours.
  "app-badge.png": {
    size: 96,
    svg: MARK.replace(BACKGROUND, "")
      .replace(/<path d="([^"]*)" fill="#fff" \/>\s*<path d="([^"]*)"/, (_whole, page, tick) =>
        [
          `<mask id="m"><path d="${page}" fill="#fff"/>`,
          `<path d="${tick}" fill="none" stroke="#000" stroke-width="2.2"/></mask>`,
          `<path d="${page}" fill="#fff" mask="url(#m)"/><path d="M0 0"`,
        ].join(""),
      )
      .replace('viewBox="0 0 32 32"', 'viewBox="6 6 20 20"'),
  },
} as const;

async function writeIcons(): Promise<void> {
  const source = readFileSync(ICONS, "utf8");
  const sprite = drawSprite(definedIcons(source));
  writeFileSync(SPRITE, sprite);
  writeFileSync(ICONS, addressSprite(source, sprite));
  for (const [name, { size, svg }] of Object.entries(APP_ICONS)) {
    const image = sharp(Buffer.from(svg), { density: (72 * size) / 32 }).resize(size, size);
    writeFileSync(join(ROOT, "public", name), await image.png({ palette: true }).toBuffer());
  }
}

if (import.meta.main) await runCommand(writeIcons);
