import type { ChannelSetup, ChannelSetups } from "#contract/messages.ts";
import { SENDING_CHANNELS, type SendingChannel } from "#contract/names.ts";
import type { Failure } from "#lib/failure.ts";

export type Template = ChannelSetup["templates"][number];

/** The stored channels, and whether the current person has a password. */
export interface Channels extends ChannelSetups {
  has_password: boolean;
}

/**
 * `elsewhere`: this dashboard did not open the seller's account. `can_begin`: the same, but this
 * installation can send reminders. `not_allowed`: its operator must still allow that.
 * `not_offered`: the service sends no messages.
 */
export type SendingAbsence = "elsewhere" | "can_begin" | "not_allowed" | "not_offered";

export type ChannelsResult = Channels | { absence: SendingAbsence } | { failure: Failure };

export const isSendingChannel = (name: string): name is SendingChannel =>
  SENDING_CHANNELS.some((known) => known === name);
