import type { FormEvent, ReactNode } from "react";
import { useInvalidFocus } from "#components/forms/use-invalid-focus.ts";
import { SubmitButton } from "#components/ui/forms/submit-button.tsx";
import type { Failure } from "#lib/failure.ts";
import { OpenFailure } from "./open-failure.tsx";

interface OpenFormProps {
  failure: Failure | null;
  isPending: boolean;
  /** What the button says. */
  label: string;
  onSubmit: (form: HTMLFormElement) => Promise<void>;
  children: ReactNode;
}

/** A form before signing in. */
export function OpenForm({ failure, isPending, label, onSubmit, children }: OpenFormProps) {
  const ref = useInvalidFocus(failure);

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    void onSubmit(event.currentTarget);
  }

  return (
    <form ref={ref} method="post" noValidate onSubmit={submit} className="grid gap-4">
      <OpenFailure failure={failure} />
      {children}
      <SubmitButton isPending={isPending} className="h-9">
        {label}
      </SubmitButton>
    </form>
  );
}
