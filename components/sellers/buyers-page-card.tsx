"use client";

import { useTranslations } from "next-intl";
import { Suspense, useState } from "react";
import { lazyPart } from "#components/context/messages-provider.tsx";
import { Button } from "#components/ui/button.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { ExternalLink, QrCodeIcon } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";

const AddressCode = lazyPart(
  async () => (await import("#components/values/link-code.tsx")).AddressCode,
  "subscription",
);

/** The address of the page for buyers, to copy, to open or as a QR code. */
export function BuyersPageCard({ address }: { address: string }) {
  const t = useTranslations("sellers.buyersPage");
  const [isOpen, setOpen] = useState(false);
  return (
    <Card aria-labelledby="buyers-page" className="mt-4 max-w-2xl p-4 sm:p-5">
      <CardTitle id="buyers-page">{t("title")}</CardTitle>
      <p className="mt-1 text-sm text-muted">{t("text")}</p>
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <input
          readOnly
          aria-label={t("address")}
          value={address}
          onFocus={(event) => event.target.select()}
          className="input min-w-0 flex-[1_1_20rem] font-mono text-sm max-md:text-lg"
        />
        <CopyButton text={address} label={t("copy")} />
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <QrCodeIcon aria-hidden className="size-4" />
          {t("code")}
        </Button>
        <a href={address} target="_blank" rel="noreferrer" className={buttonClass("secondary")}>
          <ExternalLink aria-hidden className="size-4" />
          {t.rich("open", { more: (words) => <span className="sr-only">{words}</span> })}
        </a>
      </div>
      <Dialog title={t("codeTitle")} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Suspense fallback={<span className="skeleton h-80" />}>
          <AddressCode link={address} label={t("codeTitle")} file="buyers-page.png">
            {t("caption")}
          </AddressCode>
        </Suspense>
      </Dialog>
    </Card>
  );
}
