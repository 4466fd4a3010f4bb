"use client";

import { lazy, Suspense, useId, useRef, useState, type ComponentProps } from "react";
import { Button } from "./button.tsx";
import { usePreload } from "#components/ui/overlays/popup.ts";

interface ExplainedButtonProps extends Omit<ComponentProps<typeof Button>, "disabled" | "ref"> {
  /** Why the button is disabled; null if it is enabled. */
  reason: string | null;
}

const loadTooltip = () => import("./overlays/tooltip-popup.tsx");
const TooltipPopup = lazy(async () => ({ default: (await loadTooltip()).TooltipPopup }));

/**
 * A button that explains why it is disabled: on hover, on a tap, when Tab reaches it, and to screen
 * readers. It stays focusable, unlike a disabled button.
 */
export function ExplainedButton({
  reason,
  isPending = false,
  onClick,
  ...props
}: ExplainedButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  // The reason that is shown. A new reason stays hidden, so that it does not cover the result of a press.
  const [shown, setShown] = useState<string | null>(null);
  const isShown = reason !== null && shown === reason;
  const isOff = reason !== null || isPending;
  usePreload(loadTooltip);
  const unseen = (
    <span id={id} className="sr-only">
      {reason}
    </span>
  );
  return (
    <span
      ref={place}
      role="presentation"
      className="contents"
      onPointerEnter={() => setShown(reason)}
      onPointerLeave={() => setShown(null)}
      // Opens on Tab instead of on focus, because a closing dialog returns the focus to its button.
      onKeyUp={(event) => event.key === "Tab" && setShown(reason)}
      onBlur={() => setShown(null)}
    >
      <Button
        ref={button}
        aria-disabled={isOff}
        aria-describedby={reason === null ? undefined : id}
        onClick={(event) => (isOff ? setShown(reason) : onClick?.(event))}
        {...props}
      />
      {reason !== null && !isShown && unseen}
      {isShown && (
        <Suspense fallback={unseen}>
          <TooltipPopup {...{ id, place }} anchor={button} onClose={() => setShown(null)}>
            {reason}
          </TooltipPopup>
        </Suspense>
      )}
    </span>
  );
}
