import { Undo2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { Button } from "#components/ui/button.tsx";
import { KeyCaps } from "#components/ui/key-caps.tsx";
import { cn } from "#lib/cn.ts";
import { useUndo } from "./use-acts.ts";
import type { Desk } from "./use-desk.ts";

/** What was done last, said aloud, with the press that takes it back. */
export function DeskSaid({ desk }: { desk: Desk }) {
  const t = useTranslations("collection.said");
  const undo = useUndo(desk);
  const { said } = desk;
  return (
    <div
      className={cn(
        "mb-3 flex min-h-8 items-center justify-between gap-3 text-sm max-md:min-h-11",
        !said && "max-md:hidden",
      )}
    >
      <p role="status" className="min-w-0 text-muted">
        {said?.text ?? t("nothingSent")}
      </p>
      {said?.contact && (
        <Button look="quiet" aria-keyshortcuts="u" onClick={() => void undo()}>
          <Undo2 aria-hidden className="size-4" />
          {t("undo")}
          <KeyCaps keys={["u"]} className="max-md:hidden" />
        </Button>
      )}
    </div>
  );
}
