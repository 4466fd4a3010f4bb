"use client";

import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { createColumnHelper } from "@tanstack/react-table";
import { useTranslations } from "next-intl";
import { useSearchParams } from "next/navigation";
import { type ComponentProps, type ReactNode, useMemo } from "react";
import {
  FilterForm,
  FilterSelect,
  SubscriptionField,
} from "#components/list/filters/filter-form.tsx";
import { DataTable, type TableShape } from "#components/list/data-table.tsx";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { UrlLink } from "#components/list/links.tsx";
import { QueryOutcome } from "#components/list/query-state.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { MessageSquareText } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import type { SentMessage } from "#contract/messages.ts";
import { MESSAGE_KINDS, MESSAGE_STATES } from "#contract/names.ts";
import type { Failure } from "#lib/failure.ts";
import { messagesQuery, type MessageList } from "#lib/messages/sending/queries.ts";
import {
  CHANNELS_PAGE,
  isUnfilteredMessages,
  messagesPath,
  parseMessageSearch,
  type MessageSearch,
} from "#lib/messages/sending/search.ts";
import { refetchEvery } from "#lib/query/client.ts";
import {
  MessageStateBadge,
  useChannelName,
  useKindName,
} from "#components/values/message-words.tsx";
import { SendingAbsencePanel } from "./sending-absence.tsx";

const EXPECTED_ROWS = 8;
const LOOK_AGAIN_MS = 5_000;

/** @param failure why the server could not read the list */
export function MessageListPage({ failure }: { failure: Failure | null }) {
  const search = useMessageSearch();
  const query = useQuery({
    ...messagesQuery(useScope(), search),
    placeholderData: keepPreviousData,
    // Messages change without a live update; the newest page polls for them.
    refetchInterval: (asked) =>
      refetchEvery(
        search.before === null && asked.state.data?.is_offered !== false && LOOK_AGAIN_MS,
      )(asked),
  });
  if (query.data && !query.data.is_offered)
    return <SendingAbsencePanel absence="not_offered" />;
  return (
    <Frame search={search}>
      <QueryOutcome {...{ query, failure }}>
        <Rows {...{ search, list: query.data }} isBusy={query.isPlaceholderData} />
      </QueryOutcome>
    </Frame>
  );
}

/** The list during server rendering: what the cache holds, or rows of the same size. */
export function MessageListSkeleton() {
  const search = useMessageSearch();
  const list = useQueryClient().getQueryData(messagesQuery(useScope(), search).queryKey);
  return (
    <div inert>
      <Frame search={search}>
        <Rows {...{ search, list }} isBusy={false} />
      </Frame>
    </div>
  );
}

function useMessageSearch(): MessageSearch {
  const parameters = useSearchParams();
  return useMemo(() => parseMessageSearch(parameters), [parameters]);
}

function Frame({ search, children }: { search: MessageSearch; children: ReactNode }) {
  const t = useTranslations("sending");
  return (
    <>
      <p className="mb-3 max-w-2xl text-pretty text-muted">{t("list.intro")}</p>
      {/* Remounts for a new URL, so that going back shows the current filter. */}
      <MessageFilter key={messagesPath(useScope(), search)} search={search} />
      {children}
    </>
  );
}

function MessageFilter({ search }: { search: MessageSearch }) {
  const t = useTranslations("sending");
  const scope = useScope();
  const { state, kind, subscription } = search;
  return (
    <FilterForm
      label={t("list.title")}
      action={messagesPath(scope)}
      pathFor={(form) => messagesPath(scope, parseMessageSearch(form))}
      active={[state, kind, subscription].filter(Boolean).length}
      className="lg:grid-cols-[1fr_1fr_1.4fr_auto]"
    >
      <FilterSelect
        form="message"
        name="state"
        label={t("list.filter.state")}
        all={t("list.filter.everyState")}
        value={state}
        options={MESSAGE_STATES.map((name) => [name, t(`state.${name}`)])}
      />
      <FilterSelect
        form="message"
        name="kind"
        label={t("list.filter.kind")}
        all={t("list.filter.everyKind")}
        value={kind}
        options={MESSAGE_KINDS.map((name) => [name, t(`kind.${name}`)])}
      />
      <SubscriptionField form="message" value={subscription} className="max-lg:col-span-2" />
    </FilterForm>
  );
}

interface RowsProps {
  search: MessageSearch;
  list: MessageList | undefined;
  isBusy: boolean;
}

function Rows({ search, list, isBusy }: RowsProps) {
  const t = useTranslations("sending.list");
  const scope = useScope();
  const mayWrite = usePermission("connection:write");
  return (
    <KeysetList
      before={search.before}
      next={list?.has_older ? (list.messages.at(-1)?.id ?? null) : null}
      pathTo={(before) => messagesPath(scope, { ...search, before })}
      link={LinkToTop}
      isEmpty={list?.messages.length === 0}
      empty={{
        icon: MessageSquareText,
        title: t("empty.title"),
        text: t(mayWrite ? "empty.text" : "empty.askAdmin"),
        action: mayWrite && (
          <ScopedLink href={CHANNELS_PAGE} className={buttonClass()}>
            {t("empty.action")}
          </ScopedLink>
        ),
      }}
      noMatch={
        isUnfilteredMessages(search)
          ? null
          : {
              title: t("none.title"),
              text: t("none.text"),
              all: t("none.all"),
              allPath: messagesPath(scope),
            }
      }
    >
      <DataTable
        label={t("title")}
        className="message-rows"
        columns={messageColumns}
        rows={list?.messages}
        rowId={({ id }) => id}
        isBusy={isBusy}
        expectedRows={EXPECTED_ROWS}
      />
    </KeysetList>
  );
}

const LinkToTop = (props: ComponentProps<typeof UrlLink>) => (
  <UrlLink {...props} onClick={() => window.scrollTo({ top: 0 })} />
);

const helper = createColumnHelper<TableShape, SentMessage>();

const messageColumns = helper.columns([
  column("kind", (message) => <KindCell message={message} />),
  column("state", ({ state }) => <MessageStateBadge state={state} />),
  column("channel", ({ channel }) => <ChannelCell channel={channel} />),
  column("to", ({ to }) => <span>{to}</span>),
  column("error", ({ error }) => error && <span title={error}>{error}</span>),
  column("when", ({ queued_at, sent_at }) => <Moment iso={sent_at ?? queued_at} />),
]);

type ColumnName = "kind" | "state" | "channel" | "to" | "error" | "when";

function column(id: ColumnName, cell: (message: SentMessage) => ReactNode) {
  return helper.display({
    id,
    header: () => <Head of={id} />,
    cell: ({ row }) => cell(row.original),
  });
}

function Head({ of }: { of: ColumnName }) {
  return useTranslations("sending.list.columns")(of);
}

function KindCell({ message: { kind, subscription_id } }: { message: SentMessage }) {
  const kindName = useKindName();
  if (subscription_id === null) return <span>{kindName(kind)}</span>;
  return (
    <ScopedLink href={`/subscriptions/${encodeURIComponent(subscription_id)}`} className="link">
      {kindName(kind)}
    </ScopedLink>
  );
}

function ChannelCell({ channel }: { channel: string | null }) {
  return useChannelName()(channel);
}
