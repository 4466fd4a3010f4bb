import type { ReactNode } from "react";
import type { useActionForm } from "#components/forms/use-action.ts";
import { SubmitButton } from "#components/ui/button.tsx";
import type { Failure } from "#lib/failure.ts";
import { OpenFailure } from "./open-failure.tsx";

interface OpenFormProps {
  form: ReturnType<typeof useActionForm>["form"];
  failure: Failure | null;
  isPending: boolean;
  label: string;
  children: ReactNode;
}

export function OpenForm({ form, failure, isPending, label, children }: OpenFormProps) {
  return (
    <form {...form} noValidate className="grid gap-4">
      <OpenFailure failure={failure} />
      {children}
      <SubmitButton isPending={isPending} className="h-9">
        {label}
      </SubmitButton>
    </form>
  );
}
