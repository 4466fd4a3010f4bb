"use client";

import { type FormEvent, type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { CircleAlert, Hourglass } from "#components/ui/icons.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { describeWait } from "#lib/format/format.ts";

export interface CredentialsProps {
  csrfToken: string;
  /** The path to open after signing in. */
  callbackPath: string;
  /** The error code in the URL after an attempt without JavaScript. */
  error: string | null;
}

interface CredentialsFormProps extends CredentialsProps {
  action: string;
  label: string;
  /** The error code for a refused attempt of this form. */
  refusal?: string;
  children: ReactNode;
  footer?: ReactNode;
}

/** A native form that works before hydration; after it, a failed attempt keeps the input. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { csrfToken, callbackPath, action, label, refusal, children, footer } = props;
  const [problem, setProblem] = useState(props.error);
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

  return (
    <form
      method="post"
      action={action}
      onSubmit={(event) => void submit(event)}
      className="grid gap-4"
    >
      <SignInProblem problem={problem} onOver={clear} />
      <input type="hidden" name="csrfToken" value={csrfToken} />
      <input type="hidden" name="callbackUrl" value={callbackPath} />
      {children}
      <Button type="submit" look="primary" isPending={isPending} className="h-9">
        {label}
      </Button>
      {footer}
    </form>
  );
}

const signInPath = (callbackUrl: string) =>
  `/sign-in?${new URLSearchParams({ ready: "1", callbackUrl })}`;

/**
 * Submits the form; next-auth answers with a redirect URL whose query contains an error's code.
 * @returns the code, or "signed_in" or "stale_page"
 */
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

interface SignInProblemProps {
  /** An error code; null if there is nothing to show. */
  problem: string | null;
  /** Called when the user may try again. */
  onOver: () => void;
}

/** Why the last sign-in failed. Refusals share one text, which does not reveal whether the email is known. */
function SignInProblem({ problem, onOver }: SignInProblemProps) {
  const t = useTranslations("auth");
  if (!problem) return null;
  const seconds = /^Wait(\d{1,4})$/.exec(problem)?.[1];
  if (seconds) return <WaitNotice key={problem} seconds={Number(seconds)} onOver={onOver} />;
  return (
    <Notice look="danger" icon={CircleAlert} role="alert">
      {t(`problems.${PROBLEMS.find((known) => known === problem) ?? "refused"}`)}
    </Notice>
  );
}

const PROBLEMS = [
  "Unavailable",
  "Code",
  "Expired",
  "KnownEmail",
  "NoEmail",
  "NotInvited",
  "OAuthSignin",
  "OAuthCallback",
  "Callback",
  "AccessDenied",
  "OtherIssuer",
] as const;

/** The remaining wait; without JavaScript it shows the whole wait. */
function WaitNotice({ seconds, onOver }: { seconds: number; onOver: () => void }) {
  const t = useTranslations("auth.wait");
  const format = useTranslations("format");
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = Date.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const remaining = Math.ceil((end - Date.now()) / 1_000);
      setLeft(Math.max(0, remaining));
      if (remaining <= 0) onOver();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds, onOver]);
  return (
    <Notice look="warning" icon={Hourglass} role="alert">
      <p className="font-medium">{t("title")}</p>
      {/* Screen readers announce the wait once, not every second. */}
      <p aria-live="off" className="tabular-nums">
        {t("text", { wait: describeWait(format, left) })}
      </p>
    </Notice>
  );
}
