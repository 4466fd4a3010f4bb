import { Toast } from "@base-ui/react/toast";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { CircleAlert, CircleCheck, Undo2, X } from "#components/ui/icons.tsx";
import { cn } from "#lib/cn.ts";
import { subscribeToToasts, type ToastMessage } from "./toast.tsx";

type Manager = ReturnType<typeof Toast.createToastManager<ToastMessage>>;

const SHOWN_MS = 6_000;

const manager: Manager = Toast.createToastManager<ToastMessage>();

/** Toasts at the bottom, above the mobile bar. F6 focuses them; timers pause on hover and focus. */
export function ToastRegion() {
  const t = useTranslations("ui");
  return (
    <Toast.Provider toastManager={manager} timeout={SHOWN_MS} limit={3}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={t("notifications")}
          className={cn(
            "fixed right-4 bottom-4 z-60 flex w-88 flex-col-reverse gap-2 outline-none max-md:inset-x-3 max-md:bottom-[calc(4.25rem+env(safe-area-inset-bottom))] max-md:w-auto",
            // At the top while a sheet is open, because sheets have their buttons at the bottom.
            "max-sm:in-[body:has([role=dialog])]:top-3 max-sm:in-[body:has([role=dialog])]:bottom-auto",
          )}
        >
          <Messages />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function Messages() {
  const { toasts } = Toast.useToastManager<ToastMessage>();
  // Toasts are taken only now: a live region must exist before its content changes.
  useEffect(() => subscribeToToasts(addToManager), []);
  return toasts.map((toast) => <MessageBox key={toast.id} toast={toast} />);
}

function addToManager(message: ToastMessage) {
  const isFailure = message.isFailure ?? false;
  manager.add({
    description: message.text,
    data: message,
    priority: isFailure ? "high" : "low",
    ...(isFailure && { timeout: 0 }),
  });
}

function MessageBox({ toast }: { toast: Toast.Root.ToastObject<ToastMessage> }) {
  const t = useTranslations("ui");
  const { isFailure, onUndo } = toast.data ?? {};
  const Icon = isFailure ? CircleAlert : CircleCheck;
  return (
    <Toast.Root
      toast={toast}
      swipeDirection={["right", "down"]}
      // Not a dialog, which is the library's default role, because it needs no answer.
      role="group"
      aria-modal={undefined}
      className={cn(
        "flex min-h-11 items-center gap-2 rounded-md border border-transparent bg-ink py-1 pr-1 pl-3 text-canvas shadow-raised select-none data-limited:hidden",
        "transition-[opacity,translate] duration-calm ease-enter data-ending-style:opacity-0 data-starting-style:translate-y-2 data-starting-style:opacity-0",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <Toast.Description className="min-w-0 flex-1 py-1.5" />
      {onUndo && (
        <button
          type="button"
          onClick={() => {
            manager.close(toast.id);
            onUndo();
          }}
          className={BUTTON}
        >
          <Undo2 aria-hidden className="size-4" />
          {t("undo")}
        </button>
      )}
      <Toast.Close aria-label={t("dismiss")} aria-hidden={undefined} className={BUTTON}>
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}

const BUTTON =
  "flex h-9 shrink-0 items-center gap-1.5 rounded px-2.5 font-medium outline-canvas hover:bg-canvas/15 focus-visible:outline-canvas max-md:h-11 max-md:px-3.5";
