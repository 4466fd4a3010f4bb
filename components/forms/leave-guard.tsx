"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { Dialog, interceptHistory, initialFocus } from "#components/ui/overlays/dialog.tsx";
import { isPlainClick } from "#components/ui/overlays/popup.ts";

/** The target of a navigation: a link's path, or the key of a history entry. */
type Way = { path: string } | { key: string };

/** Asks before unsaved input is lost: by our dialog for links and history, else by the browser's. */
export function LeaveGuard({ isDirty }: { isDirty: boolean }) {
  const t = useTranslations("layout.leave");
  const router = useRouter();
  const [way, setWay] = useState<Way | null>(null);
  const isLeaving = useRef(false);
  useEffect(() => {
    if (!isDirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const hold = (event: MouseEvent) => {
      const to = leavingTo(event);
      if (to === null) return;
      event.preventDefault();
      event.stopPropagation();
      setWay({ path: to });
    };
    window.addEventListener("beforeunload", ask);
    // In the capture phase, so that this runs before the link's own handler.
    document.addEventListener("click", hold, true);
    const letBack = interceptHistory(
      () => !isLeaving.current,
      (key) => setWay({ key }),
    );
    return () => {
      letBack();
      window.removeEventListener("beforeunload", ask);
      document.removeEventListener("click", hold, true);
    };
  }, [isDirty]);
  const stay = () => setWay(null);

  function leave() {
    stay();
    if (way === null) return;
    isLeaving.current = true;
    if ("path" in way) router.push(way.path);
    else window.navigation.traverseTo(way.key);
  }

  return (
    <Dialog title={t("title")} isOpen={way !== null} onClose={stay}>
      <p className="text-muted">{t("text")}</p>
      <div className="mt-5 flex justify-end gap-2">
        <Button ref={initialFocus} onClick={stay}>
          {t("stay")}
        </Button>
        <Button look="danger" onClick={leave}>
          {t("leave")}
        </Button>
      </div>
    </Dialog>
  );
}

/** The path on this site that a click opens in this tab, or null. */
function leavingTo(event: MouseEvent): string | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  if (!isPlainClick(event) || !link?.href || link.target || link.download) return null;
  const { origin, pathname, search } = new URL(link.href);
  // A link to another site loads a new page, for which the browser itself asks.
  if (origin !== window.location.origin || pathname === window.location.pathname) return null;
  return pathname + search;
}
