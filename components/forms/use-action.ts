import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { Failure } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { connectionKey } from "#lib/connection/queries.ts";
import { stateOfFailure } from "#lib/connection/rules.ts";
import { useScope } from "#components/context/seller-context.tsx";

export type ActionResult<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

const UNANSWERED: Failure = { kind: "unanswered" };

/** One call at a time of an action that names no seller, with what it needs to be shown. */
export function useAction<Input, Value>(
  action: (input: Input) => Promise<ActionResult<Value>>,
) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // State comes a frame late for the second click of a double click.
  const isUnderWay = useRef(false);

  /** @returns null when it failed, and `failure` says why, or when one is under way already */
  async function run(input: Input): Promise<{ value: Value } | null> {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setPending(true);
    setFailure(null);
    const result = await action(input).catch(
      () => ({ ok: false, failure: UNANSWERED }) as const,
    );
    isUnderWay.current = false;
    setPending(false);
    if (result.ok) return { value: result.value };
    setFailure(result.failure);
    return null;
  }

  return { run, isPending, failure, clear: () => setFailure(null) };
}

/** The same for an action of the seller and mode that are open. */
export function useSellerAction<Input, Value>(
  action: (scope: Scope, input: Input) => Promise<ActionResult<Value>>,
) {
  return useAction(useScopedAction(action));
}

/** An action of the seller and mode that are open, as one that names no seller. */
export function useScopedAction<Input, Value>(
  action: (scope: Scope, input: Input) => Promise<ActionResult<Value>>,
): (input: Input) => Promise<ActionResult<Value>> {
  const scope = useScope();
  const report = useReport();
  return async (input) => {
    const result = await action(scope, input);
    if (!result.ok) report(result.failure);
    return result;
  };
}

/** Has the connection looked at again after a call that failed because of it. */
export function useReport(): (failure: Failure) => void {
  const scope = useScope();
  const queryClient = useQueryClient();
  return (failure) => {
    if (stateOfFailure(failure))
      void queryClient.invalidateQueries({ queryKey: connectionKey(scope) });
  };
}

/** What a field's own line says of the failure. */
export function fieldError(failure: Failure | null, field: string): string | undefined {
  return failure?.kind === "validation" ? failure.fields[field]?.join(" ") : undefined;
}

/** What no field's own line says of the failure: of messages for fields that are shown, nothing. */
export function unshownPart(
  failure: Failure | null,
  shown: ReadonlySet<string>,
): Failure | null {
  if (failure?.kind !== "validation") return failure;
  const others = Object.entries(failure.fields).filter(([field]) => !shown.has(field));
  const words = [failure.detail, ...others.flatMap(([, messages]) => messages)].filter(Boolean);
  return words.length > 0 ? { ...failure, fields: {}, detail: words.join(" ") } : null;
}

/** What stands in a form's text field. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}
