import { useTranslations } from "next-intl";
import { lazy, Suspense, useState } from "react";
import { usePermission } from "#components/context/seller-context.tsx";
import { useWarmUp } from "#components/ui/overlays/warm-up.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { QueueState } from "#components/collection/state/use-queue.ts";

const loadDialog = () => import("./grace-dialog.tsx");
const GraceDialog = lazy(async () => ({ default: (await loadDialog()).GraceDialog }));

/** The seller's grace period, or the guess used until it is set: the API does not report it. */
export function GraceNote({ desk }: { desk: QueueState }) {
  const t = useTranslations("collection.grace");
  const maySet = usePermission("seller:write");
  const isHydrated = useHydrated();
  const [isOpen, setOpen] = useState(false);
  useWarmUp(loadDialog);
  const grace = desk.setting?.grace;
  if (!grace) return null;
  const words =
    grace.set !== null
      ? t("set", { count: grace.set })
      : grace.guess !== null
        ? t("guess", { count: grace.guess })
        : t("unknown");
  return (
    <p className="mt-1 text-xs text-pretty text-muted">
      {words}{" "}
      {maySet && (
        <button
          type="button"
          disabled={!isHydrated}
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="rounded font-medium underline underline-offset-2 hover:text-ink"
        >
          {t("change")}
        </button>
      )}
      {isOpen && (
        <Suspense fallback={<span className="scrim" />}>
          <GraceDialog
            days={grace.set}
            onClose={() => setOpen(false)}
            onDone={() => {
              setOpen(false);
              void desk.renew();
            }}
          />
        </Suspense>
      )}
    </p>
  );
}
