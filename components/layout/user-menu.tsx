"use client";

import { ChevronDown, LogOut } from "lucide-react";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { signOutAction } from "#lib/auth/actions.ts";
import { initialOf } from "#lib/format.ts";

interface UserMenuProps {
  name: string;
  email: string;
  role: string;
}

export function UserMenu({ name, email, role }: UserMenuProps) {
  return (
    <>
      <Button
        look="quiet"
        popoverTarget="user-menu"
        className="max-w-48 px-2"
        aria-haspopup="true"
      >
        <span
          aria-hidden
          className="flex size-6 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
        >
          {initialOf(name)}
        </span>
        <span className="truncate max-sm:sr-only">{name}</span>
        <ChevronDown aria-hidden className="size-3.5 shrink-0 max-sm:hidden" />
      </Button>
      <div
        id="user-menu"
        popover="auto"
        className="fixed inset-[3.25rem_0.75rem_auto_auto] m-0 w-64 rounded-md bg-surface p-1 text-base text-ink shadow-raised"
      >
        <div className="mb-1 border-b px-3 py-2">
          <p className="truncate font-medium">{name}</p>
          <p className="truncate text-sm text-muted">{email}</p>
          <p className="text-sm text-muted capitalize">{role}</p>
        </div>
        <SignOutButton />
      </div>
    </>
  );
}

function SignOutButton() {
  const [isPending, setPending] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  async function signOut() {
    setPending(true);
    const result = await signOutAction(null).catch(() => null);
    const isOut = result?.ok || result?.failure.kind === "signed_out";
    // A full load, so that nothing of this seller stays in memory.
    if (isOut) window.location.assign("/sign-in");
    else setPending(false);
    setFailed(!isOut);
  }

  return (
    <>
      <Button
        look="quiet"
        className="w-full justify-start"
        isPending={isPending}
        onClick={() => void signOut()}
      >
        {!isPending && <LogOut aria-hidden className="size-4" />}
        Sign out
      </Button>
      {hasFailed && (
        <p role="alert" className="px-3 py-2 text-sm text-danger">
          You are still signed in: the dashboard did not answer. Try again.
        </p>
      )}
    </>
  );
}
