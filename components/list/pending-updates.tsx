"use client";

import { hashKey, type QueryKey } from "@tanstack/react-query";
import { ArrowUp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useHeld } from "#components/context/live-state.ts";
import { Button } from "#components/ui/button.tsx";

/** What came or moved in a list while somebody reads it: it waits for a press, so that no row jumps. */
export function PendingUpdates({ queryKey }: { queryKey: QueryKey }) {
  const t = useTranslations("live.held");
  const held = useHeld(hashKey(queryKey));
  return (
    <div role="status" className="empty:sr-only">
      {held && (
        <div className="mb-2 flex justify-center">
          <Button onClick={held.show}>
            <ArrowUp aria-hidden className="size-4" />
            {held.count > 0 ? t("new", { count: held.count }) : t("moved")}
          </Button>
        </div>
      )}
    </div>
  );
}
