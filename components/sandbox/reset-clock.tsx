"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { usePermission } from "#components/context/seller-context.tsx";
import { useFormat } from "#components/values/use-format.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { setClockRightAction } from "#lib/sandbox/actions.ts";
import { SandboxFailure } from "./sandbox-failure.tsx";
import { useRestore } from "./use-restore.ts";
import { useSandboxAction } from "./use-sandbox-action.ts";

/** Sets the clock to real time, after explaining the effects. @param realNow ISO */
export function ResetClock({ realNow }: { realNow: string }) {
  const t = useTranslations("sandbox.setRight");
  const [isOpen, setOpen] = useState(false);
  if (!usePermission("sandbox:write")) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t("label")}</Button>
      <Dialog title={t("title")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Confirm realNow={realNow} onClose={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function Confirm({ realNow, onClose }: { realNow: string; onClose: () => void }) {
  const t = useTranslations("sandbox");
  const format = useFormat();
  const { showUndoToast } = useRestore();
  const { run, isPending, failure } = useSandboxAction(setClockRightAction);
  const setRight = async () => {
    const done = await run({});
    if (!done) return;
    showUndoToast(t("states.setRight"), done.value.undo);
    onClose();
  };
  return (
    <>
      <SandboxFailure failure={failure} />
      <p>
        {t.rich("setRight.then", {
          time: format.dateTime(realNow),
          moment: (words) => <span className="tabular-nums">{words}</span>,
        })}
      </p>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-muted">
        <li>{t("setRight.stay")}</li>
        <li>{t("setRight.dates")}</li>
        <li>{t("setRight.afresh")}</li>
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{t("leaveIt")}</Button>
        <Button look="primary" isPending={isPending} onClick={() => void setRight()}>
          {t("setRight.label")}
        </Button>
      </div>
    </>
  );
}
