import { useTranslations } from "next-intl";
import { GateContent } from "#components/forms/gate-panel.tsx";
import { placeOfPath } from "#components/context/places.ts";
import { useScopedPath } from "#components/context/seller-context.tsx";
import type { FaultyConnectionState } from "#lib/connection/rules.ts";
import { PageHeader } from "./page-header.tsx";

/** The page's name and, instead of its content, why it needs a working connection. */
export function ClosedPage({ state }: { state: FaultyConnectionState }) {
  const t = useTranslations("keyboard.pages");
  return (
    <>
      <PageHeader title={t(placeOfPath(useScopedPath()))} />
      <GateContent state={state} />
    </>
  );
}
