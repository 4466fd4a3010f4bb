"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import {
  FilterForm,
  FilterSelect,
  SubscriptionField,
} from "#components/list/filters/filter-form.tsx";
import { columnsOf, DataTable } from "#components/list/data-table.tsx";
import { KeysetList } from "#components/list/keyset-list.tsx";
import { LinkToTop } from "#components/list/links.tsx";
import { polledList, type PolledRows } from "#components/list/polled-list.tsx";
import { ScopedLink, usePermission, useScope } from "#components/context/seller-context.tsx";
import { buttonClass } from "#components/ui/button-class.ts";
import { MessageSquareText } from "#components/ui/icons.tsx";
import { Moment } from "#components/values/day.tsx";
import type { SentMessage } from "#contract/messages.ts";
import { MESSAGE_KINDS, MESSAGE_STATES } from "#contract/names.ts";
import { messagesQuery, type MessageList } from "#lib/messages/sending/queries.ts";
import {
  CHANNELS_PAGE,
  isUnfilteredMessages,
  messagesPath,
  parseMessageSearch,
  type MessageSearch,
} from "#lib/messages/sending/search.ts";
import {
  MessageStateBadge,
  useChannelName,
  useKindName,
  useMessageReason,
} from "#components/values/message-words.tsx";
import { SendingAbsencePanel } from "./sending-absence.tsx";

const EXPECTED_ROWS = 8;

const list = polledList({
  parse: parseMessageSearch,
  query: messagesQuery,
  Frame,
  Rows,
  NotOffered: () => <SendingAbsencePanel absence="not_offered" />,
});
export const MessageListPage = list.Page;
export const MessageListSkeleton = list.Skeleton;

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

function Rows({ search, list, isBusy }: PolledRows<MessageSearch, MessageList>) {
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

type ColumnName = "kind" | "state" | "channel" | "to" | "error" | "when";

const messageColumns = columnsOf<SentMessage, ColumnName>(Head, {
  kind: (message) => <KindCell message={message} />,
  state: ({ state }) => <MessageStateBadge state={state} />,
  channel: ({ channel }) => <ChannelCell channel={channel} />,
  to: ({ to }) => <span>{to}</span>,
  error: (message) => <Reason message={message} />,
  when: ({ queued_at, sent_at }) => <Moment iso={sent_at ?? queued_at} />,
});

function Reason({ message }: { message: SentMessage }) {
  const reason = useMessageReason()(message);
  return reason && <span title={reason}>{reason}</span>;
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
