import type { FormEvent, ReactNode } from "react";
import { useInvalidFocus } from "#components/layout/use-invalid-focus.ts";
import { Button } from "#components/ui/button.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { Failure } from "#lib/billing/errors.ts";
import { OpenFailure } from "./open-failure.tsx";

interface OpenFormProps {
  failure: Failure | null;
  isPending: boolean;
  /** What the button says. */
  label: string;
  onSubmit: (form: HTMLFormElement) => Promise<void>;
  children: ReactNode;
}

/** A form before signing in; its button waits for hydration, as a press before would lose what was typed. */
export function OpenForm({ failure, isPending, label, onSubmit, children }: OpenFormProps) {
  const ref = useInvalidFocus(failure);
  const isReady = useHydrated();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void onSubmit(event.currentTarget);
  }

  return (
    <form ref={ref} method="post" noValidate onSubmit={submit} className="grid gap-4">
      <OpenFailure failure={failure} />
      {children}
      <Button
        type="submit"
        look="primary"
        isPending={isPending}
        disabled={!isReady}
        className="h-9"
      >
        {label}
      </Button>
    </form>
  );
}
