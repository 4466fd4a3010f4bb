"use client";

import type { LucideIcon } from "lucide-react";
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
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { useWarmUp } from "./warm-up.ts";

export interface MenuEntry {
  label: string;
  /** A second line. */
  note?: string;
  icon?: LucideIcon;
  /** At the end of its line: a number. */
  aside?: string | undefined;
  /** An `a` or a link component without content: where the entry leads. */
  link?: ReactElement;
  /** What the entry does instead; the menu stays for as long as that takes, and the entry shows its wait. */
  onSelect?: () => void | Promise<void>;
  isPending?: boolean;
  /** Not while something else is under way. */
  isDisabled?: boolean;
  /** The page that is open, or what is chosen. */
  current?: "page" | "true" | undefined;
  /** A line parts it from those before. */
  isApart?: boolean;
}

/** For a `button`, or what passes its props on to one. */
type MenuTrigger = Pick<
  ComponentProps<"button">,
  "ref" | "disabled" | "aria-haspopup" | "aria-expanded" | "onClick" | "onKeyDown"
>;

export interface MenuProps {
  /** What the entries are. */
  label: string;
  entries: MenuEntry[];
  /** Above the entries. */
  heading?: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "end";
  trigger: (props: MenuTrigger) => ReactNode;
}

const loadPopup = () => import("./menu-popup.tsx");
const MenuPopup = lazy(async () => ({ default: (await loadPopup()).MenuPopup }));

/** A button that opens a menu: arrows, Home, End and letters move in it, Escape and Tab leave it. */
export function Menu({ trigger, ...list }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [isByKeyboard, setByKeyboard] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  const isHydrated = useHydrated();
  useWarmUp(loadPopup);

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
          // No finger and no pointer: the press of a key or of a screen reader.
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
