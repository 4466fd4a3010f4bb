import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { useRef, useState } from "react";
import { openCommandWindow } from "#components/shell/command-window.tsx";
import { useSeller } from "#components/context/seller-context.tsx";
import { setSubscriptionSearchText } from "#components/list/saved-views.tsx";
import { useSignOut } from "#components/shell/navigation/user-menu.tsx";
import {
  ArrowLeftRight,
  BadgeCheck,
  BellIcon,
  Bookmark,
  CalendarClock,
  ChartNoAxesCombined,
  CirclePlus,
  FlaskConical,
  HandCoins,
  House,
  type IconType,
  KeyRound,
  Keyboard,
  Languages,
  Layers,
  ListChecks,
  ListFilter,
  LogOut,
  MessageSquareText,
  Package,
  ScrollText,
  Search,
  Send,
  SettingsIcon,
  Store,
  Unplug,
  UserRoundPlus,
  User,
  Users,
  UsersRound,
  WebhookIcon,
  X,
} from "#components/ui/icons.tsx";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { changeLanguageAction } from "#lib/account/actions.ts";
import type { Language } from "#lib/i18n/languages.ts";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { useFinalFocus } from "#components/ui/overlays/popup.ts";
import { CHARACTER_KEYS } from "#components/shell/keys.ts";
import type { EntryGroup, PaletteEntry } from "./palette-entries.ts";
import { usePaletteGroups } from "./palette-groups.ts";

/** A search field over all pages, records and actions; the list updates as the user types. */
export function Palette() {
  const t = useTranslations("keyboard");
  const tUi = useTranslations("ui");
  const [typed, setTyped] = useState("");
  const groups = usePaletteGroups(typed);
  const count = groups.reduce((sum, { items }) => sum + items.length, 0);
  const field = useRef<HTMLInputElement>(null);
  const finalFocus = useFinalFocus();
  const router = useRouter();
  const client = useQueryClient();
  const { scope } = useSeller();
  const speak = useLanguageChange();
  const { signOut } = useSignOut();

  function choose({ does }: PaletteEntry) {
    openCommandWindow(does.kind === "listKeys" ? "keys" : null);
    if (does.kind === "view") setSubscriptionSearchText(client, scope, does.view.words);
    if (does.kind === "go" || does.kind === "view") router.push(does.href);
    if (does.kind === "speak") void speak(does.language);
    if (does.kind === "signOut") void signOut();
  }

  return (
    <Dialog.Root open onOpenChange={() => openCommandWindow(null)}>
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
            <Autocomplete.Status className="sr-only">
              {t("found", { count })}
            </Autocomplete.Status>
            <PaletteList {...{ groups, typed }} onChoose={choose} />
          </Autocomplete.Root>
          <Foot />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function useLanguageChange() {
  const t = useTranslations("keyboard");
  const { second_calendar } = useSeller();
  const router = useRouter();
  return async (language: Language) => {
    const result = await changeLanguageAction({ language, second_calendar }).catch(() => null);
    if (result?.ok) router.refresh();
    else showToast({ text: t("notSpoken"), isFailure: true });
  };
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

interface PaletteListProps {
  groups: EntryGroup[];
  typed: string;
  onChoose: (entry: PaletteEntry) => void;
}

function PaletteList({ groups, typed, onChoose }: PaletteListProps) {
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

const ENTRY_ICONS: Record<PaletteEntry["kind"], IconType> = {
  overview: House,
  subscriptions: ListChecks,
  customers: Users,
  products: Package,
  collection: HandCoins,
  payments: BadgeCheck,
  reports: ChartNoAxesCombined,
  notifications: BellIcon,
  sandbox: FlaskConical,
  settings: SettingsIcon,
  notices: BellIcon,
  webhooks: WebhookIcon,
  create: CirclePlus,
  deliveries: Send,
  bulk: Layers,
  import: UserRoundPlus,
  views: Bookmark,
  seller: Store,
  messages: MessageSquareText,
  channels: MessageSquareText,
  sentMessages: Send,
  schedule: CalendarClock,
  payAccounts: HandCoins,
  connection: Unplug,
  apiKeys: KeyRound,
  team: UsersRound,
  auditLog: ScrollText,
  subscription: ListChecks,
  customer: User,
  product: Package,
  list: ListFilter,
  view: Bookmark,
  mode: ArrowLeftRight,
  language: Languages,
  keys: Keyboard,
  signOut: LogOut,
};
