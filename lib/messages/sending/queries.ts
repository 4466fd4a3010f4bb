import { queryOptions } from "@tanstack/react-query";
import type { SentMessage } from "#contract/messages.ts";
import { readRoute } from "#lib/query/fetch-json.ts";
import type { Scope } from "#lib/scope.ts";
import { messageQueryString, type MessageSearch } from "./search.ts";

export interface MessageList {
  /**
   * False if the service sends no messages for this seller, or Duebook has no account to ask it
   * with.
   */
  is_offered: boolean;
  /** Newest first. */
  messages: SentMessage[];
  has_older: boolean;
}

export const messagesQuery = (scope: Scope, search: Partial<MessageSearch>) =>
  queryOptions({
    queryKey: [scope, "messages", "sent", search] as const,
    queryFn: readRoute<MessageList>(scope, `/messages/sent${messageQueryString(search)}`),
  });
