import { MESSAGE_KINDS, MESSAGE_STATES } from "#contract/names.ts";
import { defineSearch, oneOf, type SearchOf, uuidOrNull } from "#lib/search-params.ts";
import { type Scope, scopePath } from "#lib/scope.ts";

const messageSearch = defineSearch({
  state: oneOf(MESSAGE_STATES),
  kind: oneOf(MESSAGE_KINDS),
  subscription: uuidOrNull(),
  /** The id of the last message on the previous page. */
  before: uuidOrNull(),
});
export type MessageSearch = SearchOf<typeof messageSearch>;
export const { parse: parseMessageSearch, toQuery: messageQueryString } = messageSearch;

/** Whether no filter is set; the position in the list does not count. */
export const isUnfilteredMessages = (search: MessageSearch): boolean =>
  messageQueryString({ ...search, before: null }) === "";

/** The path of the list of sent messages, below the seller and mode. */
export const SENT_MESSAGES = "/settings/messages/sent";

export const messagesPath = (scope: Scope, search: Partial<MessageSearch> = {}): string =>
  scopePath(scope, `${SENT_MESSAGES}${messageQueryString(search)}`);

/** The path of the channels, below the seller and mode. */
export const CHANNELS_PAGE = "/settings/messages/channels";

/** The path of the schedule of reminders, below the seller and mode. */
export const REMINDERS_PAGE = "/settings/messages/reminders";

/** The path of the list of opt-outs, below the seller and mode. */
export const OPT_OUTS_PAGE = "/settings/messages/opt-outs";
