import { cn } from "#lib/cn.ts";

const LOOKS = {
  primary: "bg-accent-strong text-white shadow-card hover:brightness-110 forced-colors:border",
  secondary: "border bg-surface shadow-card hover:bg-sunken",
  danger: "bg-danger text-canvas shadow-card hover:brightness-110 forced-colors:border",
  quiet: "text-muted hover:bg-sunken hover:text-ink",
} as const;

export type ButtonLook = keyof typeof LOOKS;

/** The classes of a button, also for links that look like one. */
export function buttonClass(look: ButtonLook = "secondary", className?: string): string {
  return cn(
    "inline-flex h-8 items-center justify-center gap-1.5 rounded px-3 font-medium whitespace-nowrap max-md:h-11 max-md:px-4 [&>svg]:shrink-0",
    "transition-[background-color,filter,opacity] disabled:cursor-default disabled:opacity-60",
    LOOKS[look],
    className,
  );
}
