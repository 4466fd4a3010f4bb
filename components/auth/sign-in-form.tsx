"use client";

import { CircleAlert } from "lucide-react";
import { useState, type FormEvent } from "react";
import { Button } from "#components/ui/button.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { TextField } from "#components/ui/text-field.tsx";
import { signInMessage } from "./sign-in-message.ts";

interface SignInFormProps {
  csrfToken: string;
  /** Where to go afterwards: a path of this site. */
  callbackPath: string;
  /** The error word in the address, after a try without JavaScript. */
  error: string | null;
}

const ACTION = "/api/auth/callback/credentials";

/** An ordinary form, so that it works before hydration; after it, a failed try keeps what was typed. */
export function SignInForm({ csrfToken, callbackPath, error }: SignInFormProps) {
  const [problem, setProblem] = useState(error);
  const [isPending, setPending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setPending(true);
    const outcome = await postCredentials(new FormData(event.currentTarget));
    if (outcome === "signed_in") return window.location.assign(callbackPath);
    if (outcome === "stale_page") return window.location.reload();
    setProblem(outcome);
    setPending(false);
  }

  return (
    <form
      method="post"
      action={ACTION}
      onSubmit={(event) => void submit(event)}
      className="grid gap-4"
    >
      {problem && (
        <Notice look="danger" icon={CircleAlert} role="alert">
          {signInMessage(problem)}
        </Notice>
      )}
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={callbackPath} />
      <TextField
        id="email"
        name="email"
        label="Email"
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField
        id="password"
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
      />
      <Button type="submit" look="primary" isPending={isPending} className="h-9">
        Sign in
      </Button>
    </form>
  );
}

/** next-auth answers with the address it would send a form to; an error is a word in its query. */
async function postCredentials(data: FormData): Promise<string> {
  const body = new URLSearchParams({ json: "true" });
  for (const [name, value] of data) if (typeof value === "string") body.set(name, value);
  try {
    const response = await fetch(ACTION, { method: "POST", body });
    const { url } = (await response.json()) as { url: string };
    const target = new URL(url, window.location.origin);
    if (target.searchParams.has("csrf")) return "stale_page";
    return target.searchParams.get("error") ?? "signed_in";
  } catch {
    return "Unavailable";
  }
}
