import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search, X } from "lucide-react";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { useOpener } from "#components/ui/overlays/use-opener.ts";
import type { PaletteEntry } from "./palette-entries.ts";
import { PaletteList } from "./palette-list.tsx";
import { usePaletteGroups } from "./use-palette-groups.ts";

interface PaletteWindowProps {
  onClose: () => void;
  onChoose: (entry: PaletteEntry) => void;
}

/** A search field over all pages, records and actions; the list updates as the user types. */
export function PaletteWindow({ onClose, onChoose }: PaletteWindowProps) {
  const t = useTranslations("keyboard");
  const tUi = useTranslations("ui");
  const [typed, setTyped] = useState("");
  const groups = usePaletteGroups(typed);
  const field = useRef<HTMLInputElement>(null);
  const finalFocus = useOpener();
  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup
          aria-label={t("title")}
          initialFocus={field}
          finalFocus={finalFocus}
          className="fixed inset-x-2 top-2 z-40 mx-auto flex max-h-[min(34rem,calc(100dvh-1rem))] max-w-xl flex-col overflow-hidden rounded-lg border bg-surface text-base text-ink shadow-raised outline-none sm:top-[12vh] sm:max-h-[min(34rem,calc(88vh-1rem))]"
        >
          <Autocomplete.Root
            open
            inline
            items={groups}
            filter={null}
            autoHighlight="always"
            keepHighlight
            value={typed}
            onValueChange={(value, { reason }) => reason !== "item-press" && setTyped(value)}
            itemToStringValue={({ title }: PaletteEntry) => title}
          >
            <div className="flex items-center gap-2 border-b px-4">
              <Search aria-hidden className="size-4 shrink-0 text-muted" />
              <Autocomplete.Input
                ref={field}
                aria-label={t("field")}
                placeholder={t("placeholder")}
                spellCheck={false}
                className="h-12 min-w-0 flex-1 bg-transparent outline-none max-md:text-lg"
              />
              <Dialog.Close className="-mr-1 flex h-8 min-w-8 items-center justify-center rounded px-1 max-md:h-11 max-md:min-w-11">
                <span className="sr-only">{tUi("close")}</span>{" "}
                <KeyCaps keys={["Esc"]} className="pointer-coarse:hidden" />
                <X aria-hidden className="size-5 text-muted not-pointer-coarse:hidden" />
              </Dialog.Close>
            </div>
            <Announced groups={groups} />
            <PaletteList {...{ groups, typed, onChoose }} />
          </Autocomplete.Root>
          <Foot />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Announced({ groups }: { groups: { items: PaletteEntry[] }[] }) {
  const t = useTranslations("keyboard");
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  return <Autocomplete.Status className="sr-only">{t("found", { count })}</Autocomplete.Status>;
}

function Foot() {
  const t = useTranslations("keyboard.foot");
  return (
    <div
      aria-hidden
      className="flex gap-4 border-t px-4 py-2 text-xs text-muted max-sm:hidden pointer-coarse:hidden"
    >
      <span className="flex items-center gap-1.5">
        <KeyCaps keys={["↑", "↓"]} /> {t("move")}
      </span>
      <span className="flex items-center gap-1.5">
        <KeyCaps keys={["Enter"]} /> {t("open")}
      </span>
    </div>
  );
}
