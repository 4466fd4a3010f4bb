import "server-only";
import { PLANNED_PAGE_SIZE } from "#contract/process/planned-page.ts";
import {
  ReceivedBuyerLanguage,
  ReceivedChannelSetup,
  ReceivedChannelSetups,
  ReceivedCheckedChannel,
  ReceivedHandedMessage,
  ReceivedMessagePage,
  ReceivedSentMessage,
  type HandOverMessage,
  type SaveChannel,
  type SetBuyerLanguage,
} from "#contract/messages.ts";
import {
  ReceivedOptOut,
  ReceivedOptOutPage,
  ReceivedPlannedReminders,
  ReceivedReminderHold,
  ReceivedReminderHoldList,
  ReceivedReminderPreview,
  ReceivedScheduleResults,
  ReceivedReminderSchedule,
  type AddOptOut,
  type ChangeReminderSchedule,
  type HoldReminders,
  type PreviewReminders,
  type SendReminder,
} from "#contract/reminders.ts";
import { AccountApi, PROVIDER_CHECK, pathWith, type AccountApiOptions } from "./account-api.ts";

export interface MessageFilter {
  subscription_id: string | null;
  state: string | null;
  kind: string | null;
  /** The id of the message after which the page begins. */
  before: string | null;
  page_size: number;
}

/** The seller's channels, messages and reminders at the service. */
export class MessageClient extends AccountApi {
  constructor(options: AccountApiOptions) {
    super(options, PROVIDER_CHECK);
  }

  /** The channels that are set up and the available providers, without secrets. */
  listChannels = () => this.readPage("channels", ReceivedChannelSetups);

  /** @throws AppError `conflict` with status 409 if `version` is not the newest */
  saveChannel = (channel: string, body: SaveChannel) =>
    this.write(pathWith`channels/${channel}`, ReceivedChannelSetup, body);

  removeChannel = (channel: string) =>
    this.write(pathWith`channels/${channel}/remove`, ReceivedChannelSetups);

  /** Asks the provider; no message is sent. */
  checkChannel = (channel: string) =>
    this.write(pathWith`channels/${channel}/check`, ReceivedCheckedChannel);

  /** @param to a phone number or a mail address */
  sendTest = (channel: string, to: string) =>
    this.write(pathWith`channels/${channel}/test`, ReceivedSentMessage, { to });

  /** @throws AppError `validation` if no channel reaches the buyer */
  sendBill = (billId: string) =>
    this.write(pathWith`bills/${billId}/send`, ReceivedSentMessage);

  /** Newest first. */
  listMessages = (filter: MessageFilter) =>
    this.readPage("messages", ReceivedMessagePage, { ...filter });

  /** Queues a reminder that this dashboard planned; only once for each cause. */
  handOver = (body: HandOverMessage) => this.write("messages", ReceivedHandedMessage, body);

  /** Who wants no reminders, newest recipients first. */
  listOptOuts = (query: { before: number | null; page_size: number }) =>
    this.readPage("reminders/opt-outs", ReceivedOptOutPage, query);

  /** @param words phone numbers and mail addresses, or parts of them */
  findOptOuts = (words: string[]) =>
    this.write("reminders/opt-outs/find", ReceivedOptOutPage, { words });

  addOptOut = (body: AddOptOut) => this.write("reminders/opt-outs", ReceivedOptOut, body);

  /** @throws AppError `not_found` if the opt-out was removed already */
  removeOptOut = (id: number) =>
    this.write(pathWith`reminders/opt-outs/${id}/remove`, ReceivedOptOut);

  /** The seller's schedule; empty and off until the seller saves one. */
  readSchedule = () => this.read("reminders/schedule", ReceivedReminderSchedule);

  /** @throws AppError `conflict` with status 409 if `version` is not the newest */
  changeSchedule = (body: ChangeReminderSchedule) =>
    this.change("reminders/schedule", ReceivedReminderSchedule, body);

  /** What a draft would send next; nothing is changed or sent. */
  previewReminders = (body: PreviewReminders) =>
    this.write("reminders/preview", ReceivedReminderPreview, body);

  /** A page of today's reminders by the seller's clock: those to be sent, sent and held. */
  readPlanned = (after: string | null) =>
    this.readPage("reminders/planned", ReceivedPlannedReminders, {
      after,
      page_size: PLANNED_PAGE_SIZE,
    });

  /** @throws AppError `conflict` with the reason why the reminder cannot be sent now */
  sendReminder = (body: SendReminder) =>
    this.write("reminders/send", ReceivedSentMessage, body);

  /**
   * The language that the buyer chose on their page, or that a member chose for them.
   * @throws AppError `not_found` if the account has no such customer or subscription
   */
  readBuyerLanguage = (of: { customer_id: number } | { subscription_id: string }) =>
    this.read("reminders/languages", ReceivedBuyerLanguage, of);

  /** @throws AppError `not_found` if the account has no such customer */
  setBuyerLanguage = (body: SetBuyerLanguage) =>
    this.write("reminders/languages", ReceivedBuyerLanguage, body);

  listHolds = (subscription_id: string) =>
    this.readPage("reminders/holds", ReceivedReminderHoldList, { subscription_id });

  /** A new hold until a day replaces the subscription's earlier one. */
  holdReminders = (body: Pick<HoldReminders, "subscription_id"> & Partial<HoldReminders>) =>
    this.write("reminders/holds", ReceivedReminderHold, body);

  /** @throws AppError `not_found` if the hold ended already */
  removeHold = (id: number) =>
    this.write(pathWith`reminders/holds/${id}/remove`, ReceivedReminderHold);

  /** @param from the first day, YYYY-MM-DD, in the seller's zone */
  readResults = (from: string) =>
    this.read("reminders/results", ReceivedScheduleResults, { from });
}
