"use client";

import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { usePermission, useScope } from "#components/context/seller-context.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Disclosure } from "#components/ui/disclosure.tsx";
import { ListX, WebhookIcon } from "#components/ui/icons.tsx";
import { Dialog } from "#components/ui/overlays/dialog.tsx";
import { Notice, StatePanel } from "#components/ui/notice.tsx";
import type { Webhook } from "#contract/webhooks.ts";
import type { Failure } from "#lib/failure.ts";
import { webhooksQuery, type WebhookList } from "#lib/webhooks/queries.ts";
import { groupByAddress } from "#lib/webhooks/rules.ts";
import { AddEndpoint } from "./add-endpoint.tsx";
import { EditById } from "./edit-by-id.tsx";
import { EditEndpoint, RemoveEndpoint } from "./edit-endpoint.tsx";
import { EndpointCard } from "./endpoint-card.tsx";
import { type ShownSecret, ShownSecrets, VerifySnippets } from "./shown-secrets.tsx";

/** @param failure why the server could not read the list */
export function WebhookSettings({ failure }: { failure: Failure | null }) {
  const query = useQuery(webhooksQuery(useScope()));
  const retry = () => void query.refetch();
  return (
    <QueryOutcome {...{ query, failure }}>
      <RegisteredEndpoints list={query.data} onRetry={retry} isRetrying={query.isFetching} />
    </QueryOutcome>
  );
}

/** The page during server rendering: what the cache holds, or cards of the same size. */
export function WebhookSettingsSkeleton() {
  const list = useQueryClient().getQueryData(webhooksQuery(useScope()).queryKey);
  return (
    // The page replaces this render, so an opened dialog would be lost.
    <div inert>
      <RegisteredEndpoints list={list} onRetry={() => {}} isRetrying={false} />
    </div>
  );
}

interface EndpointsProps {
  list: WebhookList | undefined;
  onRetry: () => void;
  isRetrying: boolean;
}

function RegisteredEndpoints({ list, onRetry, isRetrying }: EndpointsProps) {
  const t = useTranslations("webhooks");
  const mayWrite = usePermission("webhooks:write");
  const [registered, setRegistered] = useState<ShownSecret | null>(null);
  const [changing, setChanging] = useState<Webhook[] | null>(null);
  const [removing, setRemoving] = useState<Webhook[] | null>(null);
  const lostAdvice = t(list?.notices ? "lost.rotate" : "lost.ask");
  if (!list) return <LoadingCards />;
  if (list.absence) return <NoList {...{ list, onRetry, isRetrying }} />;
  const endpoints = groupByAddress(list.webhooks, list.events);
  return (
    <div className="grid max-w-3xl gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <p className="max-w-xl flex-1 basis-80 text-pretty text-muted">{t("intro")}</p>
        {mayWrite && <AddEndpoint {...{ lostAdvice }} events={list.events} />}
      </div>
      {endpoints.length === 0 ? (
        <Card>
          <StatePanel icon={WebhookIcon} title={t("empty.title")} text={t("empty.text")} />
        </Card>
      ) : (
        endpoints.map((endpoint) => (
          <EndpointCard
            key={endpoint.endpoint_url}
            {...{ endpoint, list }}
            onRegistered={setRegistered}
            onChange={setChanging}
            onRemove={setRemoving}
          />
        ))
      )}
      {!list.is_complete && (
        <p className="text-sm text-muted">{t("newest", { count: list.webhooks.length })}</p>
      )}
      {/* How to verify deliveries, for users who already have the secret. */}
      <Card className="min-w-0 px-4 py-3 sm:px-5">
        <Disclosure title={t("verify.title")} className="font-semibold">
          <p className="my-2 text-muted">{t("verify.text")}</p>
          <VerifySnippets />
        </Disclosure>
      </Card>
      <RemoveEndpoint webhooks={removing} onClose={() => setRemoving(null)} />
      <EditEndpoint webhooks={changing} all={list.webhooks} onClose={() => setChanging(null)} />
      <Dialog
        title={t("isRegistered", { event: registered?.event ?? "" })}
        isOpen={registered !== null}
        onClose={() => setRegistered(null)}
      >
        {registered && (
          <ShownSecrets
            secrets={[registered]}
            lostAdvice={lostAdvice}
            onDone={() => setRegistered(null)}
          />
        )}
      </Dialog>
    </div>
  );
}

function NoList({ list, onRetry, isRetrying }: EndpointsProps & { list: WebhookList }) {
  const t = useTranslations("webhooks");
  const mayWrite = usePermission("webhooks:write");
  return (
    <div className="grid gap-4">
      <Notice icon={ListX} className="max-w-2xl">
        <p className="font-medium">
          {t(list.absence === "absent" ? "noList.absent" : "noList.unreadable")}
        </p>
        <p>
          {t.rich("noList.text", {
            again: (chunks) => (
              <Button
                look="quiet"
                className="h-auto underline"
                isPending={isRetrying}
                onClick={onRetry}
              >
                {chunks}
              </Button>
            ),
          })}
        </p>
      </Notice>
      {mayWrite && <EditById />}
    </div>
  );
}

function LoadingCards() {
  return (
    <div aria-busy className="grid max-w-3xl gap-4">
      <div className="flex items-start justify-between gap-3">
        <span className="skeleton h-10 w-2/3" />
        <span className="skeleton h-8 w-28" />
      </div>
      <span className="skeleton h-72 rounded-md" />
      <span className="skeleton h-14 rounded-md" />
    </div>
  );
}
