import { useCallback, useState, type FormEvent } from "react";

export interface SignInOptions {
  action: string;
  /** Where to go afterwards: a path of this site. */
  callbackPath: string;
  /** The error word in the address, after a try without JavaScript. */
  error: string | null;
  /** What a refusal is called here. */
  refusal?: string;
}

/** Sends a form to next-auth without leaving the page, so that a failed try keeps what was typed. */
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

/** next-auth answers with the address it would send a form to; an error is a word in its query. */
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
