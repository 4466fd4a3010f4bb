import { useEffect, useRef, useState, type RefObject } from "react";
import { holdBack } from "#components/ui/hold-back.ts";

type Field = HTMLInputElement | HTMLTextAreaElement;
type Popup = RefObject<HTMLElement | null>;

/** Whether a dialog may close or must ask first because of unsaved input. */
export function useUnsentQuestion(popup: Popup, isOn: boolean) {
  const findUnsent = useUnsentWords(popup);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    return holdBack(
      () => findUnsent() !== undefined,
      () => setAsking(true),
    );
  });

  function stay() {
    setAsking(false);
    findUnsent()?.focus();
  }

  function mayClose({ isByEscape }: { isByEscape: boolean }): boolean {
    if (isAsking && isByEscape) stay();
    else if (!isAsking && isOn && findUnsent()) setAsking(true);
    else return true;
    return false;
  }

  return { isAsking, stay, mayClose };
}

/**
 * Finds a field with input typed since the dialog opened. Passwords and codes do not count, because they are
 * quickly typed again.
 */
function useUnsentWords(popup: Popup): () => HTMLElement | undefined {
  const before = useRef(new Map<Field, string>());
  useEffect(() => {
    const remember = ({ target }: Event) => {
      if (!isWritten(target) || !popup.current?.contains(target)) return;
      if (!before.current.has(target)) before.current.set(target, target.value);
    };
    const forget = ({ target }: Event) => {
      if (target instanceof Node && popup.current?.contains(target)) before.current.clear();
    };
    document.addEventListener("beforeinput", remember, true);
    document.addEventListener("submit", forget, true);
    return () => {
      document.removeEventListener("beforeinput", remember, true);
      document.removeEventListener("submit", forget, true);
    };
  }, [popup]);
  return () =>
    [...before.current].find(([field, text]) => field.isConnected && field.value !== text)?.[0];
}

function isWritten(target: EventTarget | null): target is Field {
  if (target instanceof HTMLTextAreaElement) return true;
  if (!(target instanceof HTMLInputElement)) return false;
  return (
    /^(email|tel|text|url)$/.test(target.type) && !/password|code/.test(target.autocomplete)
  );
}
