"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useRouter } from "next/navigation";
import { type ReactNode, Suspense, useEffect, useState, useTransition } from "react";
import { KeyRound } from "#components/ui/icons.tsx";
import { failureOf } from "#lib/failure.ts";
import {
  connectionKey,
  connectionQuery,
  type ConnectionStatus,
} from "#lib/connection/queries.ts";
import { isPageClosed, connectionStateOfFailure } from "#lib/connection/rules.ts";
import {
  ScopedLink,
  useFormat,
  usePermission,
  useScope,
  useScopedPath,
} from "#components/context/seller-context.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { lazyPart } from "#components/context/messages-provider.tsx";

const ClosedPage = lazyPart(
  async () => (await import("./closed-page.tsx")).ClosedPage,
  "keyboard",
  "layout",
);

interface ConnectionGateProps {
  /** The state when the page was rendered. */
  connection: ConnectionStatus;
  children: ReactNode;
}

/**
 * Replaces a page that needs a working connection while there is none, for example if the key is missing
 * or rejected. It shows the page with fresh data as soon as the connection works.
 */
export function ConnectionGate({ connection: atServer, children }: ConnectionGateProps) {
  const path = useScopedPath();
  const { state, since } = useConnectionStatus(atServer);
  const isOpen = state === "good" || !isPageClosed(state, path);
  const [openPath, setOpenPath] = useState(isOpen ? path : null);
  if (isOpen && openPath !== path) setOpenPath(path);
  return (
    <>
      <ConnectionBanner state={state} since={since} />
      {state !== "good" && !isOpen && (
        <Suspense>
          <ClosedPage state={state} />
        </Suspense>
      )}
      {/* An open page is hidden but stays mounted, to keep its unsaved input. */}
      {openPath === path && <div hidden={!isOpen}>{children}</div>}
    </>
  );
}

/**
 * The connection state to show: a problem at once, a recovery only together with the refreshed
 * page.
 */
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
      if (connectionStateOfFailure(failureOf(event.action.error)))
        void queryClient.invalidateQueries({ queryKey: connectionKey(scope) });
    });
  }, [queryClient, scope]);

  // A page load can be newer than this cache, for example after a key was connected in another tab.
  useEffect(() => {
    queryClient.setQueryData(connectionKey(scope), atServer);
  }, [queryClient, scope, atServer]);
  return shown;
}

/** A banner on every page while the service rejects the stored key. */
function ConnectionBanner({ state, since }: ConnectionStatus) {
  const t = useTranslations("layout.banner");
  const format = useFormat();
  const mayConnect = usePermission("connection:write");
  if (state !== "refused") return null;
  return (
    <Notice look="danger" icon={KeyRound} role="alert" className="mb-5">
      <p className="font-medium">
        {since ? t("titleSince", { since: format.dateTime(since) }) : t("title")}
      </p>
      <p>
        {t("text")}{" "}
        {mayConnect ? (
          <ScopedLink
            href="/settings/connection"
            className="inline-flex rounded font-medium underline max-md:min-h-11 max-md:items-center"
          >
            {t("replace")}
          </ScopedLink>
        ) : (
          t("ask")
        )}
      </p>
    </Notice>
  );
}
