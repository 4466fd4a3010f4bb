import { useEffect, useRef } from "react";
import type { Failure } from "#lib/failure.ts";

/** @returns for a form: once it is refused, its first field that will not do has the focus and is read aloud */
export function useInvalidFocus(failure: Failure | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure?.kind === "validation")
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);
  return form;
}
