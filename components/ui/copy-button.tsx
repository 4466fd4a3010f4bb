"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { Check, Copy } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import { showToast } from "#components/ui/overlays/toast.tsx";
import { Button } from "./button.tsx";
import type { ButtonLook } from "./button-class.ts";

interface CopyButtonProps {
  text: string;
  label: string;
  /** Names what is copied, for screen readers. */
  what?: string;
  /** Whether only the icon is shown. */
  isCompact?: boolean;
  look?: ButtonLook;
}

type Outcome = "copied" | "refused";

const SHOWN_MS = 2_500;

/** Confirms the copy visibly and to screen readers; explains the keys if the browser forbids copying. */
export function CopyButton({ text, label, what, isCompact, look }: CopyButtonProps) {
  const t = useTranslations("ui.copy");
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  function tell(next: Outcome) {
    setOutcome(next);
    // The button's own confirmation is hidden, so a toast replaces it.
    if (isCompact && next === "copied") showToast({ text: t("said") });
  }

  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <>
      <Button
        look={look}
        className={cn("h-9", isCompact && "px-2.5! max-md:px-3.5!")}
        onClick={() => void copyText(text).then(tell)}
      >
        <Icon aria-hidden className="size-4" />
        <span className={cn(isCompact && "sr-only")}>
          {outcome === "copied" ? t("done") : label}
        </span>
        {what && <span className="sr-only"> {what}</span>}
      </Button>
      <span role="status" className={outcome === "refused" ? "text-xs text-muted" : "sr-only"}>
        {outcome === "copied" && !isCompact && t("said")}
        {outcome === "refused" && t("refused")}
      </span>
    </>
  );
}

/** @returns whether the text was copied, or refused by the browser */
async function copyText(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return copyBySelection(text) ? "copied" : "refused";
  }
}

interface Copying {
  /** Copies the text. @returns whether it was copied, or refused by the browser */
  go: () => Promise<Outcome>;
  /** Cancels the copy. */
  drop: () => void;
}

/** Must be called in the click handler: some browsers forbid copying after an asynchronous answer. */
export function beginCopying(text: string): Copying {
  const { promise, resolve, reject } = Promise.withResolvers<Blob>();
  const isWritten = writeOnce(promise);
  return {
    go: async () => {
      resolve(new Blob([text], { type: "text/plain" }));
      return (await isWritten) ? "copied" : copyText(text);
    },
    drop: () => reject(new Error("there is nothing to copy")),
  };
}

async function writeOnce(coming: Promise<Blob>): Promise<boolean> {
  try {
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": coming })]);
    return true;
  } catch {
    // Handles a rejection that no one else awaits.
    await coming.catch(() => null);
    return false;
  }
}

/**
 * Copies by selecting the text, because the clipboard interface is missing on plain http, except on
 * localhost.
 */
function copyBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  area.style.opacity = "0";
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return copied;
}
