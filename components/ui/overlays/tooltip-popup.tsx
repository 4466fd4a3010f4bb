import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode, RefObject } from "react";
import { isPressInside } from "./popup.ts";

interface TooltipPopupProps {
  /** The id to use in `aria-describedby`. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  place: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** A tooltip; the caller controls when it is open. */
export function TooltipPopup({ id, anchor, place, onClose, children }: TooltipPopupProps) {
  return (
    <Tooltip.Root
      open
      onOpenChange={(_isOpen, details) => {
        if (isPressInside(anchor.current, details.event)) details.cancel();
        else onClose();
      }}
    >
      <Tooltip.Portal container={place} className="absolute">
        {/* There is no gap, so that the pointer can move onto the tooltip. */}
        <Tooltip.Positioner
          anchor={anchor}
          side="bottom"
          align="end"
          collisionPadding={8}
          className="z-50 py-1.5"
        >
          <Tooltip.Popup
            id={id}
            role="tooltip"
            className="w-max max-w-[min(20rem,calc(100vw-1rem))] rounded border bg-surface px-3 py-2 text-sm whitespace-normal text-ink shadow-raised transition-opacity duration-quick starting:opacity-0"
          >
            {children}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
