import { Dialog } from "@base-ui/react/dialog";
import { useTranslations } from "next-intl";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { X } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import { buttonClass } from "#components/ui/button-class.ts";
import { Button } from "#components/ui/button.tsx";
import { interceptHistory } from "./dialog.tsx";
import { useFinalFocus } from "./popup.ts";

interface DialogWindowProps {
  title: string;
  /** Whether Escape and the close button are disabled. */
  isHeld: boolean;
  keepsWords: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The open dialog; unmounts when it closes. */
export function DialogWindow({
  title,
  isHeld,
  keepsWords,
  onClose,
  children,
}: DialogWindowProps) {
  const t = useTranslations("ui");
  const popup = useRef<HTMLDivElement>(null);
  const finalFocus = useFinalFocus();
  const { isAsking, stay, mayClose } = useUnsentQuestion(popup, keepsWords);
  return (
    <Dialog.Root
      open
      // A click outside must not discard input.
      disablePointerDismissal
      onOpenChange={(_isOpen, details) => {
        const isByEscape = details.reason === "escape-key";
        if (!isHeld && mayClose({ isByEscape })) onClose();
        else details.cancel();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup
          ref={popup}
          initialFocus={() => popup.current?.querySelector<HTMLElement>("[autofocus]") ?? true}
          finalFocus={finalFocus}
          className={cn(
            "fixed inset-x-0 bottom-0 z-40 overflow-y-auto overscroll-contain border bg-surface text-base text-ink shadow-raised outline-none",
            "transition-[opacity,translate,scale] duration-calm ease-enter",
            "max-sm:max-h-[92dvh] max-sm:rounded-t-lg max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[env(safe-area-inset-bottom)] max-sm:starting:translate-y-full",
            "sm:top-0 sm:m-auto sm:h-fit sm:max-h-[calc(100dvh-2rem)] sm:w-120 sm:rounded-lg sm:starting:scale-98 sm:starting:opacity-0",
          )}
        >
          <div className="sticky top-0 z-1 bg-surface">
            <div className="flex items-start justify-between gap-4 px-5 pt-4 pb-3">
              <Dialog.Title className="text-lg font-semibold">{title}</Dialog.Title>
              <Dialog.Close
                aria-label={t("close")}
                disabled={isHeld}
                className={buttonClass("quiet", "-my-1 -mr-3 max-md:-my-2.5 max-md:-mr-4")}
              >
                <X aria-hidden className="size-4" />
              </Dialog.Close>
            </div>
            {isAsking && <Question onStay={stay} onLeave={onClose} />}
          </div>
          <div className="px-5 pb-5">{children}</div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Question({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useTranslations("ui.unsent");
  return (
    <div
      role="alert"
      className="mx-5 mb-4 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 rounded bg-warning-soft px-3 py-2 text-warning"
    >
      <p className="min-w-48 flex-1">{t("text")}</p>
      <div className="flex gap-2">
        <Button onClick={onLeave}>{t("leave")}</Button>
        <Button ref={focusNow} look="primary" onClick={onStay}>
          {t("stay")}
        </Button>
      </div>
    </div>
  );
}

const focusNow = (element: HTMLElement | null) => element?.focus();

type Field = HTMLInputElement | HTMLTextAreaElement;
type Popup = RefObject<HTMLElement | null>;

/** Whether a dialog may close or must ask first because of unsaved input. */
function useUnsentQuestion(popup: Popup, isOn: boolean) {
  const findUnsent = useUnsentWords(popup);
  const [isAsking, setAsking] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    return interceptHistory(
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
 * Finds a field with input typed since the dialog opened or its form was last submitted. Passwords and
 * codes do not count, because they are quickly typed again.
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
