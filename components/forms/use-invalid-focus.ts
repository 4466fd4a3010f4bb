import { useEffect, useRef } from "react";
import type { Failure } from "#lib/failure.ts";

/** Focuses the first invalid field after a refusal. @returns the form's ref */
export function useInvalidFocus(failure: Failure | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure?.kind === "validation")
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);
  return form;
}
