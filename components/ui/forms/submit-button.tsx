import type { ComponentProps } from "react";
import { Button } from "#components/ui/button.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";

/**
 * The submit button of a form that needs JavaScript: disabled until hydration, because an earlier click would
 * lose the input.
 */
export function SubmitButton({ disabled, ...props }: ComponentProps<typeof Button>) {
  const isReady = useHydrated();
  return <Button type="submit" look="primary" disabled={disabled || !isReady} {...props} />;
}
