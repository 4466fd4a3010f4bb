"use client";

import { Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { useRouter } from "next/navigation";
import { openCommandWindow, useCommandWindow } from "#components/shell/command-window.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";
import {
  CHARACTER_KEYS,
  type ShortcutCommand,
  isCharacterCommand,
  readShortcut,
} from "#components/shell/keys.ts";
import { canOpenPlace, isPlace, PLACES } from "#components/context/places.ts";
import { useSeller } from "#components/context/seller-context.tsx";
import { scopePath } from "#lib/scope.ts";
import { useFocusRecovery, useNavigationFocus, usePressRecovery } from "./page-focus.ts";
import {
  clickShortcutTarget,
  focusSearch,
  goBack,
  isOverlayOpen,
  isTooltipOpen,
  isTyping,
  moveRow,
  selectRow,
  turnPage,
} from "./page-controls.ts";

const CommandWindows = lazyPart(
  async () => (await import("./command-windows.tsx")).CommandWindows,
  "keyboard",
);

/**
 * Mounted once, in the dashboard's layout: keyboard shortcuts, focus handling, and the windows that
 * shortcuts open.
 */
export function CommandLayer() {
  useShortcuts();
  useNavigationFocus();
  useFocusRecovery();
  usePressRecovery();
  const [isAwake, setAwake] = useState(false);
  const wake = useCallback(() => CommandWindows.preload().then(() => setAwake(true)), []);
  usePreload(wake);
  const shown = useCommandWindow();
  // An element that marks that shortcuts are active; browser tests wait for it.
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => mark.current?.setAttribute("data-keys", "ready"), []);
  return (
    <>
      <span ref={mark} hidden data-keys="awaited" />
      {(isAwake || shown) && (
        <Suspense fallback={shown && <div className="scrim" />}>
          <CommandWindows shown={shown} />
        </Suspense>
      )}
    </>
  );
}

/** Milliseconds that the first key of a two-key shortcut waits for the second. */
const PAUSE_MS = 2_000;

/** Handles all shortcuts with one listener; they trigger controls of the page. */
function useShortcuts(): void {
  const run = useEffectEvent(useCommands());
  useEffect(() => {
    let first = { key: null as string | null, at: 0 };
    // Whether a dialog was open before the key press: Escape may have closed it before this
    // listener runs.
    let wasCovered = false;
    const look = ({ key }: KeyboardEvent) => {
      wasCovered = isOverlayOpen() || (key === "Escape" && isTooltipOpen());
    };
    function press(event: KeyboardEvent) {
      if (event.defaultPrevented || event.isComposing) return;
      const before = event.timeStamp - first.at < PAUSE_MS ? first.key : null;
      const { command, prefix } = readShortcut(event, isTyping(event) ? null : before);
      first = { key: isTyping(event) ? null : prefix, at: event.timeStamp };
      if (command !== null && run(command, event, wasCovered)) event.preventDefault();
    }
    window.addEventListener("keydown", look, { capture: true });
    window.addEventListener("keydown", press);
    return () => {
      window.removeEventListener("keydown", look, { capture: true });
      window.removeEventListener("keydown", press);
    };
  }, []);
}

function useCommands() {
  const { scope, role, character_keys } = useSeller();
  const router = useRouter();
  const shown = useCommandWindow();

  function isMeant(
    command: ShortcutCommand,
    event: KeyboardEvent,
    wasCovered: boolean,
  ): boolean {
    if (command === shown) return true;
    if (wasCovered) return false;
    if (!isCharacterCommand(command)) return true;
    const isHeld = event.repeat && command !== "nextRow" && command !== "previousRow";
    return character_keys && !isTyping(event) && !isHeld;
  }

  /** @returns whether the key press was handled */
  return (command: ShortcutCommand, event: KeyboardEvent, wasCovered: boolean): boolean => {
    if (!isMeant(command, event, wasCovered)) return false;
    if (isPlace(command)) {
      const isOpen = canOpenPlace(command, role, scope.mode);
      if (isOpen) router.push(scopePath(scope, PLACES[command].path));
      return isOpen;
    }
    switch (command) {
      case "palette":
      case "keys":
        openCommandWindow(command === shown ? null : command);
        return true;
      case "search":
        if (!focusSearch()) openCommandWindow("palette");
        return true;
      case "nextRow":
        return moveRow(1);
      case "previousRow":
        return moveRow(-1);
      case "select":
        return selectRow();
      case "selectTo":
        return selectRow(true);
      case "previousPage":
        return turnPage("prev");
      case "nextPage":
        return turnPage("next");
      case "message":
      case "copyLink":
      case "showCode":
      case "promise":
      case "snooze":
      case "assign":
      case "note":
      case "undo":
      case "prepare":
      case "skip":
        return clickShortcutTarget(CHARACTER_KEYS[command]);
      case "back":
        return goBack();
    }
  };
}
