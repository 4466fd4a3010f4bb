import { Autocomplete } from "@base-ui/react/autocomplete";
import { useTranslations } from "next-intl";
import { useSeller } from "#components/context/seller-context.tsx";
import { CHARACTER_KEYS } from "#components/shell/keys.ts";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import type { PaletteEntry, EntryGroup } from "./palette-entries.ts";
import { ENTRY_ICONS } from "./palette-icons.ts";

interface PaletteListProps {
  groups: EntryGroup[];
  typed: string;
  onChoose: (entry: PaletteEntry) => void;
}

export function PaletteList({ groups, typed, onChoose }: PaletteListProps) {
  const t = useTranslations("keyboard");
  return (
    <div className="min-h-0 flex-1 scroll-py-2 overflow-y-auto overscroll-contain">
      {groups.length === 0 && (
        <div className="px-4 py-8 text-center">
          <p className="font-medium">{t("nothing", { words: typed.trim() })}</p>
          <p className="mx-auto mt-1 max-w-sm text-sm text-muted">{t("nothingHint")}</p>
        </div>
      )}
      <Autocomplete.List className="px-2 pb-2 empty:hidden">
        {(group: EntryGroup) => (
          <Autocomplete.Group key={group.id} items={group.items}>
            <Autocomplete.GroupLabel className="px-2 pt-3 pb-1 text-xs font-medium text-muted">
              {t(`groups.${group.id}`)}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(entry: PaletteEntry) => (
                <EntryRow key={entry.id} entry={entry} onChoose={() => onChoose(entry)} />
              )}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </div>
  );
}

function EntryRow({ entry, onChoose }: { entry: PaletteEntry; onChoose: () => void }) {
  const t = useTranslations("keyboard.keys");
  const { character_keys } = useSeller();
  const { kind, title, note, command } = entry;
  const Icon = ENTRY_ICONS[kind];
  return (
    <Autocomplete.Item
      value={entry}
      onClick={onChoose}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded px-2 py-1.5 data-highlighted:bg-sunken data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-accent max-md:min-h-11"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1">
        <span className="block truncate">{title}</span>
        {note && <span className="block truncate text-xs text-muted">{note}</span>}
      </span>
      {command && character_keys && (
        <KeyCaps
          keys={CHARACTER_KEYS[command].split(" ")}
          then={t("then")}
          className="pointer-coarse:hidden"
        />
      )}
    </Autocomplete.Item>
  );
}
