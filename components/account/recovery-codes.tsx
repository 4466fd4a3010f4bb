"use client";

import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";

interface RecoveryCodesProps {
  codes: string[] | null;
  onClose: () => void;
}

export function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const t = useTranslations("account.recoveryCodes");
  const router = useRouter();
  function close() {
    onClose();
    router.refresh();
  }
  return (
    <Dialog title={t("keep")} isOpen={codes !== null} onClose={close}>
      {codes && <RecoveryCodeList codes={codes} onKept={close} />}
    </Dialog>
  );
}

/** Shown only once. */
export function RecoveryCodeList({ codes, onKept }: { codes: string[]; onKept: () => void }) {
  const t = useTranslations("account.recoveryCodes");
  return (
    <>
      <p className="text-muted">{t("keepText")}</p>
      <ul
        aria-label={t("label")}
        className="my-4 grid gap-x-6 gap-y-1 rounded bg-sunken p-3 font-mono text-sm sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-end gap-2">
        <CopyButton text={codes.join("\n")} label={t("copyAll")} />
        <Button look="primary" className="h-9" onClick={onKept}>
          {t("kept")}
        </Button>
      </div>
    </>
  );
}
