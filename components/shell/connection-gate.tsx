"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { usePathname, useRouter } from "next/navigation";
import { useEffect, useState, useTransition, type ReactNode } from "react";
import { scopePath } from "#lib/scope.ts";
import { failureOf } from "#lib/failure.ts";
import {
  connectionKey,
  connectionQuery,
  type ConnectionStatus,
} from "#lib/connection/queries.ts";
import { isPageClosed, stateOfFailure } from "#lib/connection/rules.ts";
import { ConnectionBanner } from "./connection-banner.tsx";
import { GatePanel } from "#components/forms/gate-panel.tsx";
import { PageHeader } from "./page-header.tsx";
import { placeOf } from "#components/context/places.ts";
import { useScope } from "#components/context/seller-context.tsx";

interface ConnectionGateProps {
  /** As the server last heard it. */
  connection: ConnectionStatus;
  children: ReactNode;
}

/**
 * One place for everything that shuts the dashboard: no key, a refused one, an account that is not
 * verified. It opens by itself, and then with fresh data.
 */
export function ConnectionGate({ connection: atServer, children }: ConnectionGateProps) {
  const t = useTranslations("keyboard");
  const scope = useScope();
  const path = usePathname().slice(scopePath(scope).length);
  const { state, since } = useConnectionStatus(atServer);
  const isOpen = state === "good" || !isPageClosed(state, path);
  const [openPath, setOpenPath] = useState(isOpen ? path : null);
  if (isOpen && openPath !== path) setOpenPath(path);
  return (
    <>
      <ConnectionBanner state={state} since={since} />
      {state !== "good" && !isOpen && (
        <>
          <PageHeader title={t(`pages.${placeOf(path)}`)} />
          <GatePanel state={state} />
        </>
      )}
      {/* A page that was open stays behind the gate, with what was typed into it. */}
      {openPath === path && <div hidden={!isOpen}>{children}</div>}
    </>
  );
}

/** The status to show: a bad one at once, a good one together with the page read anew. */
function useConnectionStatus(atServer: ConnectionStatus): ConnectionStatus {
  const scope = useScope();
  const router = useRouter();
  const queryClient = useQueryClient();
  const query = useQuery({ ...connectionQuery(scope), initialData: atServer });
  const [shown, setShown] = useState(atServer);
  const [isOpening, startOpening] = useTransition();
  const heard = query.data;
  if (heard.state !== "good" && (heard.state !== shown.state || heard.since !== shown.since))
    setShown(heard);

  const opens = heard.state === "good" && shown.state !== "good" && !isOpening;
  useEffect(() => {
    if (!opens) return;
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => queryKey[1] !== "connection",
    });
    startOpening(() => {
      router.refresh();
      setShown(heard);
    });
  }, [opens, heard, queryClient, router]);

  useEffect(() => {
    const cache = queryClient.getQueryCache();
    return cache.subscribe((event) => {
      if (event.type !== "updated" || event.action.type !== "error") return;
      const told = stateOfFailure(failureOf(event.action.error));
      if (told) void queryClient.invalidateQueries({ queryKey: connectionKey(scope) });
    });
  }, [queryClient, scope]);

  // A full load may know more than this cache, as after the key was set in another tab.
  useEffect(() => {
    queryClient.setQueryData(connectionKey(scope), atServer);
  }, [queryClient, scope, atServer]);
  return shown;
}
