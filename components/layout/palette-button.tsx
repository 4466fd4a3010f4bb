"use client";

import { Search } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { openDeskWindow } from "./desk-window.ts";

/** For whoever does not know its key; a phone has it in the menu with the rest. */
export function PaletteButton() {
  const t = useTranslations("keyboard");
  return (
    <Button
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={() => openDeskWindow("palette")}
      className="shrink-0 justify-start px-2.5 font-normal text-muted max-md:hidden lg:w-56"
    >
      <Search aria-hidden className="size-4 shrink-0" />
      <span className="max-lg:sr-only">{t("open")}</span>
    </Button>
  );
}
