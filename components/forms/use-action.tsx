import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslations } from "next-intl";
import { CircleAlert } from "#components/ui/icons.tsx";
import { describeFailure, isFailure, type Failure, type FailureText } from "#lib/failure.ts";
import type { Scope } from "#lib/scope.ts";
import { connectionKey } from "#lib/connection/queries.ts";
import { connectionStateOfFailure } from "#lib/connection/rules.ts";
import { useScope } from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";

export type ActionResult<Value> = { ok: true; value: Value } | { ok: false; failure: Failure };

/** The result of an action whose answer was lost. */
export const UNANSWERED_RESULT = { ok: false, failure: { kind: "unanswered" } } as const;

/** The same for a write whose outcome is then looked up. */
export const UNKNOWN_OUTCOME = {
  ok: false,
  failure: { kind: "unavailable", outcome_unknown: true },
} as const;

/** Posts the bytes of a file to a route of the dashboard; not an action, which takes at most 1 MB. */
export async function postFile<Value>(
  path: string,
  body: Blob,
  headers: Record<string, string> = {},
): Promise<ActionResult<Value>> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body,
  });
  const answer: unknown = await response.json();
  if (response.ok) return { ok: true, value: answer as Value };
  return isFailure(answer) ? { ok: false, failure: answer } : UNANSWERED_RESULT;
}

/** Runs an action, one call at a time. */
export function useAction<Input, Value>(
  action: (input: Input) => Promise<ActionResult<Value>>,
) {
  const [isPending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  // A ref, because state would update too late for a double click.
  const isUnderWay = useRef(false);

  /** @returns null if it failed (see `failure`) or if a call is already running */
  async function run(input: Input): Promise<{ value: Value } | null> {
    if (isUnderWay.current) return null;
    isUnderWay.current = true;
    setPending(true);
    setFailure(null);
    const result = await action(input).catch(() => UNANSWERED_RESULT);
    isUnderWay.current = false;
    setPending(false);
    if (result.ok) return { value: result.value };
    setFailure(result.failure);
    return null;
  }

  return { run, isPending, failure, clear: () => setFailure(null) };
}

/** useAction for an action of the current seller and mode. */
export function useSellerAction<Input, Value>(
  action: (scope: Scope, input: Input) => Promise<ActionResult<Value>>,
) {
  return useAction(useScopedAction(action));
}

/** Binds an action to the current seller and mode. */
export function useScopedAction<Input, Value>(
  action: (scope: Scope, input: Input) => Promise<ActionResult<Value>>,
): (input: Input) => Promise<ActionResult<Value>> {
  const scope = useScope();
  const report = useReportConnectionFailure();
  return async (input) => {
    const result = await action(scope, input);
    if (!result.ok) report(result.failure);
    return result;
  };
}

/** Refetches the connection's state after a failure that it may have caused. */
export function useReportConnectionFailure(): (failure: Failure) => void {
  const scope = useScope();
  const queryClient = useQueryClient();
  return (failure) => {
    if (connectionStateOfFailure(failure))
      void queryClient.invalidateQueries({ queryKey: connectionKey(scope) });
  };
}

export function fieldError(failure: Failure | null, field: string): string | undefined {
  return failure?.kind === "validation" ? failure.fields[field]?.join(" ") : undefined;
}

/** The part of a failure that no shown field displays. */
export function unshownFailure(
  failure: Failure | null,
  shown: ReadonlySet<string>,
): Failure | null {
  if (failure?.kind !== "validation") return failure;
  const others = Object.entries(failure.fields).filter(([field]) => !shown.has(field));
  const words = [failure.detail, ...others.flatMap(([, messages]) => messages)].filter(Boolean);
  return words.length > 0 ? { ...failure, fields: {}, detail: words.join(" ") } : null;
}

export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === "string" ? value : "";
}

interface ActionFormOptions<Input, Value> {
  /** Reads the fields; null while a required one is empty. */
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

interface FailureNoticeProps {
  failure: Failure | null;
  /** The text of the failure, where the general one would mislead. */
  describe?: ((failure: Failure) => FailureText) | undefined;
}

/** The failure above a form or in a dialog; renders nothing without one. */
export function FailureNotice({ failure, describe }: FailureNoticeProps) {
  const t = useTranslations();
  if (!failure) return null;
  const { title, advice } = describe?.(failure) ?? describeFailure(t, failure, "write");
  return (
    <Notice look="danger" icon={CircleAlert} role="alert" className="mb-4">
      <p className="font-medium">{title}</p>
      <p>{advice}</p>
    </Notice>
  );
}
