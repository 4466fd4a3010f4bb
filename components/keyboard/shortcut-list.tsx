import { useTranslations } from "next-intl";
import { openCommandWindow } from "#components/shell/command-window.tsx";
import { type CharacterCommand, shortcutKeys } from "#components/shell/keys.ts";
import { SHORTCUT_PLACES, canOpenPlace, isPlace } from "#components/context/places.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { can } from "#lib/auth/permissions.ts";
import { cn } from "#lib/cn.ts";
import { ShortcutSwitch } from "./shortcut-switch.tsx";

const IN_LISTS: CharacterCommand[] = ["nextRow", "previousRow", "select", "selectTo"];
const COLLECTING: CharacterCommand[] = [
  "message",
  "copyLink",
  "showCode",
  "promise",
  "snooze",
  "assign",
  "note",
  "undo",
  "prepare",
  "skip",
];
const PAGING: CharacterCommand[] = ["previousPage", "nextPage"];

interface Line {
  keys: readonly string[];
  does: string;
}

/** All shortcuts in groups, and the switch for single-key shortcuts. */
export function ShortcutList({ isOpen }: { isOpen: boolean }) {
  const t = useTranslations("keyboard.keys");
  return (
    <Dialog title={t("title")} isOpen={isOpen} onClose={() => openCommandWindow(null)}>
      <Lines />
      <p className="mt-4 text-sm text-muted">{t("inFields")}</p>
      <div className="mt-4 rounded-md border">
        <ShortcutSwitch />
      </div>
    </Dialog>
  );
}

function Lines() {
  const t = useTranslations("keyboard");
  const { role, scope, character_keys: areOn } = useSeller();
  const isOffered = (command: CharacterCommand) =>
    areOn && (!isPlace(command) || canOpenPlace(command, role, scope.mode));
  const singles = (commands: readonly CharacterCommand[]): Line[] =>
    commands.filter(isOffered).map((command) => ({
      keys: shortcutKeys(command),
      does: isPlace(command) ? t(`pages.${command}`) : t(`keys.${command}`),
    }));
  return (
    <div className="grid gap-4">
      <KeyGroup
        title={t("keys.anywhere")}
        lines={[
          { keys: paletteKeys(), does: t("keys.palette") },
          ...singles(["search", "create", "keys"]),
          { keys: ["Esc"], does: t("keys.back") },
        ]}
      />
      <KeyGroup
        isShort
        title={t("keys.inLists")}
        lines={[
          ...singles(IN_LISTS),
          { keys: ["Enter"], does: t("keys.openRow") },
          ...singles(PAGING),
        ]}
      />
      {areOn && can(role, "collection:write") && (
        <KeyGroup isShort title={t("keys.onTheDesk")} lines={singles(COLLECTING)} />
      )}
      {areOn && <KeyGroup isShort title={t("keys.go")} lines={singles(SHORTCUT_PLACES)} />}
    </div>
  );
}

interface KeyGroupProps {
  title: string;
  lines: Line[];
  /** Whether the list is shown in two columns. */
  isShort?: boolean;
}

function KeyGroup({ title, lines, isShort }: KeyGroupProps) {
  const t = useTranslations("keyboard.keys");
  return (
    <section>
      <h3 className="mb-1 text-sm font-medium text-muted">{title}</h3>
      <dl className={cn("grid", isShort && "gap-x-8 sm:grid-cols-2")}>
        {lines.map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4 border-t py-1.5">
            <dt className="order-last">
              <KeyCaps keys={keys} then={t("then")} />
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/**
 * The keys that open the palette, as this platform names them; call in the browser only. Ctrl and Cmd
 * both work everywhere.
 */
const paletteKeys = (): string[] => [
  /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl",
  "K",
];
