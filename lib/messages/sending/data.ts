import "server-only";
import { DEFAULT_PAGE_SIZE } from "#contract/names.ts";
import { hasPassword } from "#lib/auth/guards/confirm-person.ts";
import { requireSeller } from "#lib/auth/guards/require-seller.ts";
import {
  canSendMessages,
  findMessageClient,
  isMessagesOnly,
} from "#lib/billing/message-account.ts";
import type { KeyOwner } from "#lib/crypto/api-key.ts";
import { database } from "#lib/db/pool.ts";
import { expectedFailure, type Failure, isMissing } from "#lib/failure.ts";
import { translateSettings } from "#lib/i18n/setting-texts.ts";
import type { Scope } from "#lib/scope.ts";
import type { MessageList } from "./queries.ts";
import type { ChannelsResult, SendingAbsence } from "./rules.ts";
import type { MessageSearch } from "./search.ts";

/** Why nothing sends messages for a seller without an account. */
export const absenceOf = ({ mode }: KeyOwner): SendingAbsence =>
  canSendMessages(mode) ? "can_begin" : "elsewhere";

/**
 * Turns a failed request about messages into what the page shows.
 * @throws any error but AppError
 */
export async function absenceOrFailure(
  owner: KeyOwner,
  error: unknown,
): Promise<{ absence: SendingAbsence } | { failure: Failure }> {
  if (isMissing(error)) return { absence: "not_offered" };
  const failure = expectedFailure(error);
  const isClosed = failure.kind === "unverified";
  return isClosed && (await isMessagesOnly(database(), owner))
    ? { absence: "not_allowed" }
    : { failure };
}

/** The seller's channels and the available providers. */
export async function listChannels(scope: Scope): Promise<ChannelsResult> {
  const { owner, user } = await requireSeller(scope, "connection:read");
  const client = await findMessageClient(owner);
  if (!client) return { absence: absenceOf(owner) };
  try {
    const setups = await client.listChannels();
    return {
      ...setups,
      providers: await translateSettings(setups.providers),
      has_password: await hasPassword(database(), user.id),
    };
  } catch (error) {
    return absenceOrFailure(owner, error);
  }
}

const NOT_OFFERED: MessageList = { is_offered: false, messages: [], has_older: false };

/** The messages that the service sent or is about to send. */
export async function listMessages(
  scope: Scope,
  { subscription, ...filter }: MessageSearch,
): Promise<MessageList> {
  const { owner } = await requireSeller(scope, "subscriptions:read");
  const client = await findMessageClient(owner);
  if (!client) return NOT_OFFERED;
  try {
    const page = await client.listMessages({
      ...filter,
      subscription_id: subscription,
      page_size: DEFAULT_PAGE_SIZE,
    });
    return { is_offered: true, messages: page.results, has_older: page.next !== null };
  } catch (error) {
    if (isMissing(error)) return NOT_OFFERED;
    throw error;
  }
}
