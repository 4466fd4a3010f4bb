"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { openCommandWindow } from "#components/shell/command-window.ts";

/** Opens the palette without its shortcut; only an icon on narrow screens. */
export function PaletteButton() {
  const t = useTranslations("keyboard");
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openCommandWindow("palette")}
      className="shrink-0 justify-start px-2.5 font-normal text-muted max-md:w-11 max-md:justify-center max-md:border-0 max-md:bg-transparent max-md:px-0 max-md:shadow-none lg:w-56"
    >
      <Search aria-hidden className="size-4 shrink-0 max-md:size-5" />
      <span className="max-lg:sr-only">{t("open")}</span>
    </Button>
  );
}
