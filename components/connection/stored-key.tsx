"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { FailureNotice } from "#components/forms/failure-notice.tsx";
import { useSellerAction } from "#components/forms/use-action.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { testConnectionAction, type KeyCheckReport } from "#lib/connection/actions.ts";
import type { ConnectionDetails } from "#lib/connection/queries.ts";
import { ConnectForm } from "./connect-form.tsx";
import { DisconnectDialog } from "./disconnect-dialog.tsx";
import { KeyFacts } from "./key-facts.tsx";

interface StoredKeyProps {
  details: ConnectionDetails;
  onTried: (tried: KeyCheckReport | null) => void;
}

export function StoredKey({ details, onTried }: StoredKeyProps) {
  const t = useTranslations("connection");
  const { run, isPending, failure } = useSellerAction(testConnectionAction);
  const [open, setOpen] = useState<"replace" | "disconnect" | null>(null);
  const close = () => setOpen(null);

  function finish(tried: KeyCheckReport | null) {
    close();
    onTried(tried);
  }

  async function test() {
    const result = await run({});
    if (result) onTried(result.value);
  }

  return (
    <>
      <FailureNotice failure={failure} />
      <KeyFacts details={details} />
      <div className="mt-5 flex flex-wrap gap-2">
        {details.state !== "undecryptable" && (
          <Button isPending={isPending} onClick={() => void test()}>
            {t("test")}
          </Button>
        )}
        <Button onClick={() => setOpen("replace")}>{t("replace.label")}</Button>
        <Button className="text-danger" onClick={() => setOpen("disconnect")}>
          {t("disconnect.label")}
        </Button>
      </div>
      <Dialog keepsWords title={t("replace.title")} isOpen={open === "replace"} onClose={close}>
        <p className="mb-4 text-muted">{t("replace.text")}</p>
        <ConnectForm replaces={{ hasPassword: details.has_password }} onTried={finish} />
      </Dialog>
      <DisconnectDialog
        hasPassword={details.has_password}
        isOpen={open === "disconnect"}
        onClose={close}
        onDisconnected={() => finish(null)}
      />
    </>
  );
}
