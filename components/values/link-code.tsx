"use client";

import { useTranslations } from "next-intl";
import { useMemo, type ReactNode } from "react";
import { useSeller } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Download, Printer } from "#components/ui/icons.tsx";
import { QrCode, qrModules, qrPath } from "#components/ui/qr-code.tsx";
import type { Subscription } from "#contract/subscriptions.ts";
import { ProductAmountToPay } from "./to-pay.tsx";

const PIXELS_A_MODULE = 16;

interface LinkCodeProps {
  subscription: Pick<Subscription, "subscription_id"> & {
    product: Pick<Subscription["product"], "name" | "pbp_id" | "price" | "currency">;
  };
  link: string;
}

/** The checkout link as a QR code, to scan, save or print. */
export function LinkCode({ subscription, link }: LinkCodeProps) {
  const t = useTranslations("subscription.code");
  const { product, subscription_id } = subscription;
  return (
    <AddressCode link={link} label={t("label")} file={`checkout-${subscription_id}.png`}>
      {product.name}
      {product.price && (
        <>
          {" · "}
          <ProductAmountToPay product={product} />
        </>
      )}
    </AddressCode>
  );
}

interface AddressCodeProps {
  link: string;
  /** The purpose of the code, for screen readers. */
  label: string;
  /** The name of the saved picture. */
  file: string;
  /** Content between the name of the business and the address. */
  children: ReactNode;
}

/** An address for buyers as a QR code. */
export function AddressCode({ link, label, file, children }: AddressCodeProps) {
  const { name: seller } = useSeller();
  const t = useTranslations("subscription.code");
  const modules = useMemo(() => qrModules(link), [link]);
  return (
    <>
      <figure data-print className="grid justify-items-center gap-3 text-center">
        <QrCode modules={modules} label={label} className="w-full max-w-64" />
        <figcaption className="min-w-0">
          <p className="font-medium">{seller}</p>
          <p>{children}</p>
          <p className="mt-1 font-mono text-xs text-balance break-all text-muted">{link}</p>
        </figcaption>
      </figure>
      <div className="mt-5 flex flex-wrap justify-center gap-2">
        <Button onClick={() => savePng(modules, file)}>
          <Download aria-hidden className="size-4" />
          {t("save")}
        </Button>
        <Button onClick={() => window.print()}>
          <Printer aria-hidden className="size-4" />
          {t("print")}
        </Button>
      </div>
    </>
  );
}

function savePng(modules: boolean[][], name: string) {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = modules.length * PIXELS_A_MODULE;
  const context = canvas.getContext("2d");
  if (!context) return;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(PIXELS_A_MODULE, PIXELS_A_MODULE);
  context.fillStyle = "#000";
  context.fill(new Path2D(qrPath(modules)));
  const link = document.createElement("a");
  link.href = canvas.toDataURL("image/png");
  link.download = name;
  link.click();
}
