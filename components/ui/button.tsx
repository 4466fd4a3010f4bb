import { LoaderCircle } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "#lib/cn.ts";

const LOOKS = {
  primary: "bg-accent-strong text-white shadow-card hover:brightness-110",
  secondary: "border bg-surface shadow-card hover:bg-sunken",
  quiet: "text-muted hover:bg-sunken hover:text-ink",
} as const;

export type ButtonLook = keyof typeof LOOKS;

/** For links that look like buttons. */
export function buttonClass(look: ButtonLook = "secondary", className?: string): string {
  return cn(
    "inline-flex h-8 items-center justify-center gap-1.5 rounded px-3 font-medium whitespace-nowrap max-md:h-11 max-md:px-4",
    "transition-[background-color,filter,opacity] duration-100 disabled:cursor-default disabled:opacity-60",
    LOOKS[look],
    className,
  );
}

interface ButtonProps extends ComponentProps<"button"> {
  look?: ButtonLook | undefined;
  /** Shows that the click was taken, and takes no second one. */
  isPending?: boolean;
}

export function Button({
  look,
  isPending = false,
  className,
  disabled,
  children,
  type = "button",
  ...props
}: ButtonProps) {
  return (
    <button
      type={type}
      className={buttonClass(look, className)}
      disabled={disabled || isPending}
      {...props}
    >
      {isPending && <LoaderCircle aria-hidden className="size-4 animate-spin" />}
      {children}
    </button>
  );
}
