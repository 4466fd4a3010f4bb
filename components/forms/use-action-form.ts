import { type FormEvent, useEffect, useRef } from "react";
import type { Failure } from "#lib/failure.ts";
import { type ActionResult, fieldError, useAction } from "./use-action.ts";

interface ActionFormOptions<Input, Value> {
  /** Reads the fields; null while something is missing. */
  read: (form: HTMLFormElement) => Input | null;
  onDone: (value: Value, input: Input) => void;
}

/**
 * A form that sends its native fields to an action, one submission at a time. Why not React Hook Form:
 * docs/decisions/0160-ui-components.md.
 */
export function useActionForm<Input, Value>(
  action: (input: Input) => Promise<ActionResult<Value>>,
  { read, onDone }: ActionFormOptions<Input, Value>,
) {
  const { run, isPending, failure } = useAction(action);
  const ref = useInvalidFocus(failure);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const input = read(event.currentTarget);
    if (input === null) return;
    const done = await run(input);
    if (done) onDone(done.value, input);
  }

  return {
    form: {
      ref,
      method: "post",
      onSubmit: (event: FormEvent<HTMLFormElement>) => void submit(event),
    } as const,
    isPending,
    failure,
    error: (field: string) => fieldError(failure, field),
  };
}

/** Focuses the first invalid field after a refusal. @returns the form's ref */
function useInvalidFocus(failure: Failure | null) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (failure?.kind === "validation")
      form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus();
  }, [failure]);
  return form;
}
