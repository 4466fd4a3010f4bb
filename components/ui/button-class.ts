import { cn } from "#lib/cn.ts";

const LOOKS = {
  primary: "btn-primary",
  secondary: "btn-secondary",
  danger: "btn-danger",
  quiet: "btn-quiet",
} as const;

export type ButtonLook = keyof typeof LOOKS;

/** The classes of a button, also for links that look like one. */
export function buttonClass(look: ButtonLook = "secondary", className?: string): string {
  return cn("btn", LOOKS[look], className);
}
