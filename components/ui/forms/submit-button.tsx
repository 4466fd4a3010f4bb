import type { ComponentProps } from "react";
import { Button } from "#components/ui/button.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

/**
 * For a form that only the page's own code can send: it waits until that is at work, as a press
 * before would lose what was typed.
 */
export function SubmitButton({ disabled, ...props }: ComponentProps<typeof Button>) {
  const isReady = useHydrated();
  return <Button type="submit" look="primary" disabled={disabled || !isReady} {...props} />;
}
