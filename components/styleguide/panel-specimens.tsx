"use client";

import { CircleAlert, CircleCheck, Package, TriangleAlert } from "lucide-react";
import { buttonClass } from "#components/ui/button-class.ts";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { DetailRow } from "#components/ui/detail-row.tsx";
import { Nothing } from "#components/ui/nothing.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { QrCode, qrModules } from "#components/ui/qr-code.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { StatePanel } from "#components/ui/state-panel.tsx";
import { Specimen, Specimens } from "./specimen.tsx";

const CODE = qrModules("https://example.com/pay/1");

export function PanelSpecimens() {
  return (
    <>
      <Specimens title="Notice">
        <div className="grid w-full gap-3">
          <Notice icon={CircleCheck}>The cancellation is scheduled.</Notice>
          <Notice look="warning" icon={TriangleAlert}>
            The service did not answer. You see it as of 10:42.
          </Notice>
          <Notice look="danger" icon={CircleAlert}>
            Nothing was changed. Try again in a moment.
          </Notice>
        </div>
      </Specimens>
      <Specimens title="Card and facts">
        <Card className="w-full p-4">
          <CardTitle>Buyer</CardTitle>
          <dl className="mt-3 grid gap-2">
            <DetailRow label="Name">सरस्वती Rai-Maharjan</DetailRow>
            <DetailRow label="Email">{null}</DetailRow>
            <DetailRow label="Paid">
              <Nothing />
            </DetailRow>
          </dl>
        </Card>
        <Specimen label="on its way">
          <span className="skeleton h-5 w-60" />
        </Specimen>
        <Specimen label="a code for cameras">
          <QrCode modules={CODE} label="QR code of a link" className="w-28" />
        </Specimen>
        <Specimen label="a list that scrolls by itself">
          <ScrollArea label="Lines" className="h-24 w-60 p-2">
            {Array.from({ length: 20 }, (_, at) => (
              <p key={at}>Line {at + 1}</p>
            ))}
          </ScrollArea>
        </Specimen>
        <div className="w-full">
          <CodeBlock text={'{ "event": "subscription.activated" }'} copyLabel="Copy body" />
        </div>
      </Specimens>
      <Specimens title="In the place of content">
        <div className="w-full rounded-md border">
          <StatePanel
            icon={Package}
            title="No products yet"
            text="A product is what buyers subscribe to. It is made at the billing service."
            action={
              <a href="#menu" className={buttonClass("primary")}>
                New product
              </a>
            }
          />
        </div>
      </Specimens>
    </>
  );
}
