import { Menu } from "@base-ui/react/menu";
import { useTranslations } from "next-intl";
import { type RefObject, useEffect, useRef } from "react";
import { Check, LoaderCircle } from "#components/ui/icons.tsx";
import { describeFailure, failureOf } from "#lib/failure.ts";
import { cn } from "#lib/cn.ts";
import { isPressInside } from "./popup.ts";
import type { MenuEntry, MenuProps } from "./menu.tsx";
import { showToast } from "./toast.tsx";

interface MenuPopupProps extends Omit<MenuProps, "trigger"> {
  button: RefObject<HTMLButtonElement | null>;
  /** The element around the button; the menu is rendered in it, so that Tab continues from there. */
  place: RefObject<HTMLElement | null>;
  /** Whether the first entry gets the focus at once. */
  isByKeyboard: boolean;
  onClose: () => void;
}

/** The open menu; unmounts when it closes. */
export function MenuPopup(props: MenuPopupProps) {
  const {
    label,
    entries,
    heading,
    side,
    align = "start",
    button,
    place,
    isByKeyboard,
    onClose,
  } = props;
  return (
    <Menu.Root
      open
      modal={false}
      onOpenChange={(_isOpen, details) => {
        // The button's own click closes it.
        if (isPressInside(button.current, details.event)) details.cancel();
        else onClose();
      }}
    >
      <Menu.Portal container={place} className="absolute">
        <Menu.Positioner
          anchor={button}
          {...{ side, align }}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 outline-none"
        >
          <Menu.Popup
            aria-label={label}
            // Closes the menu before the browser moves the focus, so that it continues from the
            // button.
            onKeyDown={(event) => event.key === "Tab" && onClose()}
            finalFocus={button}
            className={cn(
              "max-h-(--available-height) w-68 max-w-[calc(100vw-1rem)] overflow-y-auto overscroll-contain rounded-md border bg-surface p-1 text-left text-base whitespace-normal text-ink shadow-raised outline-none",
              "origin-(--transform-origin) transition-[opacity,scale] duration-quick ease-enter starting:scale-97 starting:opacity-0",
            )}
          >
            {heading ? (
              <Menu.Group>
                <Menu.GroupLabel className="mb-1 border-b px-3 py-2">{heading}</Menu.GroupLabel>
                <Entries {...{ entries, isByKeyboard, onClose }} />
              </Menu.Group>
            ) : (
              <Entries {...{ entries, isByKeyboard, onClose }} />
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

type EntriesProps = Pick<MenuPopupProps, "entries" | "isByKeyboard" | "onClose">;

function Entries({ entries, isByKeyboard, onClose }: EntriesProps) {
  const first = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isByKeyboard) first.current?.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  }, [isByKeyboard]);
  return entries.map((entry, at) => (
    <div
      key={at}
      ref={at === 0 ? first : undefined}
      role="presentation"
      className={cn(entry.isApart && "mt-1 border-t pt-1")}
    >
      <Entry {...{ entry, onClose }} />
    </div>
  ));
}

function Entry({ entry, onClose }: Pick<MenuPopupProps, "onClose"> & { entry: MenuEntry }) {
  const t = useTranslations();
  const onFailure = (error: unknown) =>
    showToast({ text: describeFailure(t, failureOf(error)).title, isFailure: true });
  const content = <EntryContent {...entry} />;
  if (entry.link) {
    return (
      <Menu.LinkItem
        render={entry.link}
        closeOnClick
        label={entry.label}
        aria-current={entry.current}
        className="menu-item"
      >
        {content}
      </Menu.LinkItem>
    );
  }
  return (
    <Menu.Item
      label={entry.label}
      // The menu closes when the action is done; until then the entry shows progress.
      closeOnClick={false}
      aria-busy={entry.isPending}
      disabled={entry.isDisabled}
      onClick={() => void runMenuEntry(entry, { onClose, onFailure })}
      className="menu-item"
    >
      {content}
    </Menu.Item>
  );
}

function EntryContent({ label, note, icon: Icon, aside, isPending, current }: MenuEntry) {
  return (
    <>
      {isPending ? (
        <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin" />
      ) : (
        Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      )}
      <span className="min-w-0 flex-1">
        <span className="line-clamp-2">{label}</span>
        {note && (
          <span className="block text-xs text-muted first-letter:uppercase">{note}</span>
        )}
      </span>
      {aside && <span className="text-sm text-muted tabular-nums">{aside}</span>}
      {current === "true" && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
    </>
  );
}

/** Runs an entry and closes the menu afterwards, even after a failure. */
export async function runMenuEntry(
  { onSelect, isPending = false, isDisabled = false }: MenuEntry,
  { onClose, onFailure }: { onClose: () => void; onFailure: (error: unknown) => void },
): Promise<void> {
  if (isPending || isDisabled) return;
  try {
    await onSelect?.();
  } catch (error) {
    onFailure(error);
  } finally {
    onClose();
  }
}
