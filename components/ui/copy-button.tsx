"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button, type ButtonLook } from "./button.tsx";

interface CopyButtonProps {
  text: string;
  label: string;
  look?: ButtonLook;
}

type Outcome = "copied" | "refused";

const SHOWN_MS = 2_500;

/** Says that it copied, aloud too; where the browser forbids copying, it says what to press. */
export function CopyButton({ text, label, look }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <>
      <Button look={look} className="h-9" onClick={() => void copy(text).then(setOutcome)}>
        <Icon aria-hidden className="size-4" />
        {outcome === "copied" ? "Copied" : label}
      </Button>
      <span role="status" className={outcome === "refused" ? "text-xs text-muted" : "sr-only"}>
        {outcome === "copied" && "Copied to the clipboard."}
        {outcome === "refused" && "Select the text and press Ctrl+C."}
      </span>
    </>
  );
}

async function copy(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return copyBySelection(text) ? "copied" : "refused";
  }
}

/** The clipboard interface is missing on plain http, except on localhost. */
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
