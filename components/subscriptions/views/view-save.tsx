import { useTranslations } from "next-intl";
import { lazy, Suspense } from "react";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import type { SubscriptionSearch } from "#lib/subscriptions/search.ts";

const ViewSaveForm = lazy(async () => {
  const { ViewSaveForm: component } = await import("./view-save-form.tsx");
  return { default: component };
});

interface ViewSaveProps {
  search: SubscriptionSearch;
  isOpen: boolean;
  onClose: () => void;
}

/** Asks for the name under which what is listed is kept. */
export function ViewSave({ search, isOpen, onClose }: ViewSaveProps) {
  const t = useTranslations("views");
  return (
    <Dialog keepsWords title={t("saveTitle")} isOpen={isOpen} onClose={onClose}>
      <Suspense fallback={<span className="skeleton h-48" />}>
        <ViewSaveForm search={search} onClose={onClose} />
      </Suspense>
    </Dialog>
  );
}
