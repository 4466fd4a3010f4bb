import { useCallback, useState, type FormEvent } from "react";

export interface SignInOptions {
  action: string;
  /** The path to open after signing in. */
  callbackPath: string;
  /** The error code in the URL after an attempt without JavaScript. */
  error: string | null;
  /** The error code shown for a refusal here. */
  refusal?: string;
}

/** Sends a form to next-auth without leaving the page, so that a failed attempt keeps the input. */
export function useSignIn({ action, callbackPath, error, refusal }: SignInOptions) {
  const [problem, setProblem] = useState(error);
  const [isPending, setPending] = useState(false);
  const clear = useCallback(() => setProblem(null), []);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    setPending(true);
    const outcome = await post(action, new FormData(event.currentTarget));
    if (outcome === "signed_in") return window.location.assign(callbackPath);
    if (outcome === "stale_page") return window.location.reload();
    if (outcome === "SecondFactor") return window.location.assign(signInPath(callbackPath));
    setProblem(outcome === "CredentialsSignin" ? (refusal ?? outcome) : outcome);
    setPending(false);
  }

  return { problem, isPending, clear, submit };
}

const signInPath = (callbackUrl: string) =>
  `/sign-in?${new URLSearchParams({ ready: "1", callbackUrl })}`;

/** next-auth answers with a redirect URL; an error is a code in its query. */
async function post(action: string, data: FormData): Promise<string> {
  const body = new URLSearchParams({ json: "true" });
  for (const [name, value] of data) if (typeof value === "string") body.set(name, value);
  try {
    const response = await fetch(action, { method: "POST", body });
    const { url } = (await response.json()) as { url: string };
    const target = new URL(url, window.location.origin);
    if (target.searchParams.has("csrf")) return "stale_page";
    return target.searchParams.get("error") ?? "signed_in";
  } catch {
    return "Unavailable";
  }
}
