"use client";

import {
  lazy,
  Suspense,
  useRef,
  useState,
  type ComponentProps,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from "react";
import { useHydrated } from "#components/ui/button.tsx";
import type { IconType } from "#components/ui/icons.tsx";
import { usePreload } from "./popup.ts";

export interface MenuEntry {
  label: string;
  /** The second line of the entry. */
  note?: string;
  icon?: IconType;
  /** A number at the end of the line. */
  aside?: string | undefined;
  /** An `a` or a link component without content, for entries that are links. */
  link?: ReactElement;
  /** The entry's action; the menu stays open and shows progress until it is done. */
  onSelect?: () => void | Promise<void>;
  isPending?: boolean;
  /** Disabled while another action runs. */
  isDisabled?: boolean;
  /** Marks the current page or the selected entry. */
  current?: "page" | "true" | undefined;
  /** Draws a separator above the entry. */
  isApart?: boolean;
}

/** The props that the trigger has to pass to its `button`. */
type MenuTrigger = Pick<
  ComponentProps<"button">,
  "ref" | "disabled" | "aria-haspopup" | "aria-expanded" | "onClick" | "onKeyDown"
>;

export interface MenuProps {
  /** The menu's accessible name. */
  label: string;
  entries: MenuEntry[];
  /** Content above the entries. */
  heading?: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "end";
  trigger: (props: MenuTrigger) => ReactNode;
}

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(async () => ({ default: (await loadPopup()).MenuPopup }));

/** A menu button: arrows, Home, End and letters move inside, Escape and Tab close it. */
export function Menu({ trigger, ...list }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [isByKeyboard, setByKeyboard] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  const isHydrated = useHydrated();
  usePreload(loadPopup);

  function press(event: KeyboardEvent) {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    setByKeyboard(true);
    setOpen(true);
  }

  return (
    <span ref={place} data-popup-place className="contents">
      {trigger({
        ref: button,
        disabled: !isHydrated,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        onKeyDown: press,
        onClick: (event) => {
          // The menu was opened by a key or a screen reader if the click has no pointer.
          setByKeyboard(event.detail === 0);
          setOpen(!isOpen);
        },
      })}
      {isOpen && (
        <Suspense fallback={null}>
          <MenuPopup
            {...list}
            {...{ button, place, isByKeyboard }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </span>
  );
}
