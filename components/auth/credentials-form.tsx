"use client";

import type { ReactNode } from "react";
import { Button } from "#components/ui/button.tsx";
import { SignInProblem } from "./sign-in-problem.tsx";
import { useSignIn, type SignInOptions } from "./use-sign-in.ts";

export interface CredentialsProps {
  csrfToken: string;
  /** The path to open after signing in. */
  callbackPath: string;
  /** The error code in the URL after an attempt without JavaScript. */
  error: string | null;
}

interface CredentialsFormProps extends CredentialsProps, SignInOptions {
  label: string;
  children: ReactNode;
  footer?: ReactNode;
}

/** A native form that works before hydration; after it, a failed attempt keeps the input. */
export function CredentialsForm({
  csrfToken,
  label,
  children,
  footer,
  ...options
}: CredentialsFormProps) {
  const { problem, isPending, clear, submit } = useSignIn(options);
  return (
    <form
      method="post"
      action={options.action}
      onSubmit={(event) => void submit(event)}
      className="grid gap-4"
    >
      <SignInProblem problem={problem} onOver={clear} />
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={options.callbackPath} />
      {children}
      <Button type="submit" look="primary" isPending={isPending} className="h-9">
        {label}
      </Button>
      {footer}
    </form>
  );
}
