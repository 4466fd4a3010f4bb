import "server-only";
import { PLANNED_PAGE_SIZE } from "#contract/process/planned-page.ts";
import {
  ReceivedBuyerLanguage,
  type BuyerLanguage,
  type SetBuyerLanguage,
  ReceivedChannelSetup,
  ReceivedChannelSetups,
  ReceivedCheckedChannel,
  ReceivedHandedMessage,
  ReceivedMessagePage,
  ReceivedSentMessage,
  type ChannelSetup,
  type ChannelSetups,
  type CheckedChannel,
  type HandedMessage,
  type HandOverMessage,
  type MessagePage,
  type SaveChannel,
  type SentMessage,
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
  type OptOut,
  type OptOutPage,
  type PlannedReminders,
  type PreviewReminders,
  type ReminderHold,
  type ReminderHoldList,
  type ReminderPreview,
  type ScheduleResults,
  type ReminderSchedule,
  type SendReminder,
} from "#contract/reminders.ts";
import { ACCOUNT_ROOT } from "./discovery.ts";
import { pathSegment, Transport } from "./transport.ts";

export interface MessageFilter {
  subscription_id: string | null;
  state: string | null;
  kind: string | null;
  /** The id of the message after which the page begins. */
  before: string | null;
  page_size: number;
}

/** The service asks a provider for up to 15 seconds. */
const CHECK_TIMEOUT = 20_000;

const pathOf = (channel: string, verb?: string) =>
  [`${ACCOUNT_ROOT}/channels`, pathSegment(channel), ...(verb ? [verb] : [])].join("/");

const REMINDERS = `${ACCOUNT_ROOT}/reminders`;

/** The seller's channels, messages and reminders at the service. All methods throw AppError. */
export class MessageClient {
  readonly #transport: Transport;

  constructor({ baseUrl, token }: { baseUrl: string; token: string }) {
    this.#transport = new Transport({
      baseUrl,
      connect: async () => ({ apiKey: token }),
      writeTimeout: CHECK_TIMEOUT,
    });
  }

  /** What is set up and what can be. Secrets are never in it. */
  listChannels(): Promise<ChannelSetups> {
    return this.#transport.read({
      path: `${ACCOUNT_ROOT}/channels`,
      answer: ReceivedChannelSetups,
      isPage: true,
    });
  }

  /** @throws AppError `conflict` with status 409 if `version` is not the newest */
  saveChannel(channel: string, body: SaveChannel): Promise<ChannelSetup> {
    const path = pathOf(channel);
    return this.#transport.write({ path, body, answer: ReceivedChannelSetup });
  }

  removeChannel(channel: string): Promise<ChannelSetups> {
    const path = pathOf(channel, "remove");
    return this.#transport.write({ path, answer: ReceivedChannelSetups });
  }

  /** Asks the provider; no message is sent. */
  checkChannel(channel: string): Promise<CheckedChannel> {
    const path = pathOf(channel, "check");
    return this.#transport.write({ path, answer: ReceivedCheckedChannel });
  }

  /** @param to a phone number or a mail address */
  sendTest(channel: string, to: string): Promise<SentMessage> {
    const path = pathOf(channel, "test");
    return this.#transport.write({ path, body: { to }, answer: ReceivedSentMessage });
  }

  /** @throws AppError `validation` if no channel reaches the buyer */
  sendBill(billId: string): Promise<SentMessage> {
    const path = `${ACCOUNT_ROOT}/bills/${pathSegment(billId)}/send`;
    return this.#transport.write({ path, answer: ReceivedSentMessage });
  }

  /** Newest first. */
  listMessages(filter: MessageFilter): Promise<MessagePage> {
    return this.#transport.read({
      path: `${ACCOUNT_ROOT}/messages`,
      query: { ...filter },
      answer: ReceivedMessagePage,
      isPage: true,
    });
  }

  /** Queues a reminder that this dashboard planned, once for its cause. */
  handOver(body: HandOverMessage): Promise<HandedMessage> {
    const path = `${ACCOUNT_ROOT}/messages`;
    return this.#transport.write({ path, body, answer: ReceivedHandedMessage });
  }

  /** Who wants no reminders, newest recipients first. */
  listOptOuts(query: { before: number | null; page_size: number }): Promise<OptOutPage> {
    return this.#transport.read({
      path: `${REMINDERS}/opt-outs`,
      query,
      answer: ReceivedOptOutPage,
      isPage: true,
    });
  }

  /** @param words phone numbers and mail addresses, or parts of them */
  findOptOuts(words: string[]): Promise<OptOutPage> {
    const path = `${REMINDERS}/opt-outs/find`;
    return this.#transport.write({ path, body: { words }, answer: ReceivedOptOutPage });
  }

  addOptOut(body: AddOptOut): Promise<OptOut> {
    const path = `${REMINDERS}/opt-outs`;
    return this.#transport.write({ path, body, answer: ReceivedOptOut });
  }

  /** @throws AppError `not_found` if it was removed already */
  removeOptOut(id: number): Promise<OptOut> {
    const path = `${REMINDERS}/opt-outs/${id}/remove`;
    return this.#transport.write({ path, answer: ReceivedOptOut });
  }

  /** An empty one that is off before the seller saved one. */
  readSchedule(): Promise<ReminderSchedule> {
    const path = `${REMINDERS}/schedule`;
    return this.#transport.read({ path, answer: ReceivedReminderSchedule });
  }

  /** @throws AppError `conflict` with status 409 if `version` is not the newest */
  changeSchedule(body: ChangeReminderSchedule): Promise<ReminderSchedule> {
    const path = `${REMINDERS}/schedule`;
    return this.#transport.write({ path, body, answer: ReceivedReminderSchedule }, "PATCH");
  }

  /** What a draft would send next; nothing is changed or sent. */
  previewReminders(body: PreviewReminders): Promise<ReminderPreview> {
    const path = `${REMINDERS}/preview`;
    return this.#transport.write({ path, body, answer: ReceivedReminderPreview });
  }

  /** What goes out today, by the seller's clock, with what went out and is held, page by page. */
  readPlanned(after: string | null): Promise<PlannedReminders> {
    const path = `${REMINDERS}/planned`;
    const query = { after, page_size: PLANNED_PAGE_SIZE };
    return this.#transport.read({
      path,
      query,
      answer: ReceivedPlannedReminders,
      isPage: true,
    });
  }

  /** @throws AppError `conflict` with the reason why it does not go now */
  sendReminder(body: SendReminder): Promise<SentMessage> {
    const path = `${REMINDERS}/send`;
    return this.#transport.write({ path, body, answer: ReceivedSentMessage });
  }

  /**
   * What the buyer chose on their page, or a member for them.
   * @throws AppError `not_found` if the account has no such customer or subscription
   */
  readBuyerLanguage(
    of: { customer_id: number } | { subscription_id: string },
  ): Promise<BuyerLanguage> {
    const path = `${REMINDERS}/languages`;
    return this.#transport.read({ path, query: of, answer: ReceivedBuyerLanguage });
  }

  /** @throws AppError `not_found` if the account has no such customer */
  setBuyerLanguage(body: SetBuyerLanguage): Promise<BuyerLanguage> {
    const path = `${REMINDERS}/languages`;
    return this.#transport.write({ path, body, answer: ReceivedBuyerLanguage });
  }

  listHolds(subscription_id: string): Promise<ReminderHoldList> {
    const path = `${REMINDERS}/holds`;
    const query = { subscription_id };
    return this.#transport.read({
      path,
      query,
      answer: ReceivedReminderHoldList,
      isPage: true,
    });
  }

  /** A new day replaces the last one of the subscription. */
  holdReminders(
    body: Pick<HoldReminders, "subscription_id"> & Partial<HoldReminders>,
  ): Promise<ReminderHold> {
    const path = `${REMINDERS}/holds`;
    return this.#transport.write({ path, body, answer: ReceivedReminderHold });
  }

  /** @throws AppError `not_found` if it ended already */
  removeHold(id: number): Promise<ReminderHold> {
    const path = `${REMINDERS}/holds/${id}/remove`;
    return this.#transport.write({ path, answer: ReceivedReminderHold });
  }

  /** @param from the first day, YYYY-MM-DD, in the seller's zone */
  readResults(from: string): Promise<ScheduleResults> {
    const path = `${REMINDERS}/results`;
    return this.#transport.read({ path, query: { from }, answer: ReceivedScheduleResults });
  }
}
