"use client";

import { lazy, Suspense, useId, useRef, useState, type ComponentProps } from "react";
import { cn } from "#lib/cn.ts";
import { Button } from "./button.tsx";
import { useWarmUp } from "./overlays/warm-up.ts";

interface ExplainedButtonProps extends Omit<ComponentProps<typeof Button>, "disabled" | "ref"> {
  /** Why the button is disabled; null if it is enabled. */
  reason: string | null;
}

const loadTooltip = () => import("./overlays/tooltip-popup.tsx");
const TooltipPopup = lazy(async () => ({ default: (await loadTooltip()).TooltipPopup }));

/**
 * A button that explains why it is disabled: on hover, focus and tap, and to screen readers. It stays focusable,
 * unlike a disabled button.
 */
export function ExplainedButton({
  reason,
  isPending = false,
  onClick,
  className,
  ...props
}: ExplainedButtonProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const place = useRef<HTMLSpanElement>(null);
  // The words that were asked for: new ones must not cover what a press has just brought about.
  const [shown, setShown] = useState<string | null>(null);
  const isShown = reason !== null && shown === reason;
  const isOff = reason !== null || isPending;
  useWarmUp(loadTooltip);
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
      // Not the focus itself: a dialog that closes gives it back to the button that opened it.
      onKeyUp={(event) => event.key === "Tab" && setShown(reason)}
      onBlur={() => setShown(null)}
    >
      <Button
        ref={button}
        aria-disabled={isOff}
        aria-describedby={reason === null ? undefined : id}
        className={cn("aria-disabled:cursor-default aria-disabled:opacity-60", className)}
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
