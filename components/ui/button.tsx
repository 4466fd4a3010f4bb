"use client";

import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { buttonClass, type ButtonLook } from "./button-class.ts";
import { useHydrated } from "./use-hydrated.ts";

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook | undefined;
  /** Shows progress and ignores further clicks. */
  isPending?: boolean;
}

/** Click handlers stay disabled until hydration, because earlier clicks would be lost. */
export function Button({
  look,
  isPending = false,
  className,
  disabled,
  children,
  type = "button",
  ...props
}: ButtonProps) {
  const isHydrated = useHydrated();
  const isWaiting = props.onClick !== undefined && !isHydrated;
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      disabled={disabled || isPending || isWaiting}
      {...props}
    >
      {isPending && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}
