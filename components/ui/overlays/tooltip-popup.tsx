import { Tooltip } from "@base-ui/react/tooltip";
import type { ReactNode, RefObject } from "react";
import { isPressOn } from "#components/ui/press.ts";

interface TooltipPopupProps {
  /** For who names it in `aria-describedby`. */
  id: string;
  anchor: RefObject<HTMLElement | null>;
  place: RefObject<HTMLElement | null>;
  onClose: () => void;
  children: ReactNode;
}

/** Words beside what they are about; whoever shows it decides when. */
export function TooltipPopup({ id, anchor, place, onClose, children }: TooltipPopupProps) {
  return (
    <Tooltip.Root
      open
      onOpenChange={(_isOpen, details) => {
        if (isPressOn(anchor.current, details.event)) details.cancel();
        else onClose();
      }}
    >
      <Tooltip.Portal container={place} className="absolute">
        {/* Without a gap that a pointer on its way to the words would fall into. */}
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
