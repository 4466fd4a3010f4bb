"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { GatePanel } from "#components/forms/failure-panel.tsx";
import { useScope } from "#components/context/seller-context.tsx";
import { Card, CardTitle } from "#components/ui/card.tsx";
import { connectionKey, type ConnectionDetails } from "#lib/connection/queries.ts";
import type { KeyCheckReport } from "#lib/connection/actions.ts";
import { ConnectForm, FindingNotice } from "./connect-form.tsx";
import { StoredKey } from "./stored-key.tsx";

export function ConnectionSettings({ details }: { details: ConnectionDetails }) {
  const t = useTranslations("connection");
  const { mode } = useScope();
  const [tried, setTried] = useState<KeyCheckReport | null>(null);
  const refresh = useRefresh();
  const report = (result: KeyCheckReport | null) => {
    setTried(result);
    refresh();
  };

  if (details.state === "mode_absent") return <GatePanel state="mode_absent" />;
  return (
    <div className="max-w-2xl">
      {tried && <FindingNotice tried={tried} />}
      <Card className="p-4 sm:p-5">
        <CardTitle>{t("heading", { mode })}</CardTitle>
        <p className="mt-1 mb-4 text-muted">{t("text", { mode })}</p>
        {details.last4 === null ? (
          <ConnectForm onTried={report} />
        ) : (
          <StoredKey details={details} onTried={report} />
        )}
      </Card>
    </div>
  );
}

/** Another key may belong to another account, so all cached data is dropped. */
function useRefresh() {
  const scope = useScope();
  const router = useRouter();
  const queryClient = useQueryClient();
  return () => {
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[1] !== "connection" });
    void queryClient.invalidateQueries({ queryKey: connectionKey(scope) });
    router.refresh();
  };
}
