import * as z from "zod";
import { tooLongMessage } from "./field-messages.ts";
import {
  HANDED_OUTCOMES,
  MESSAGE_KINDS,
  MESSAGE_PROVIDERS,
  MESSAGE_STATES,
  SENDING_CHANNELS,
} from "./names.ts";
import { languageTag, MAX_LANGUAGE_TAG } from "./message-text.ts";
import { GivenSettings, providerSetting, storedSettings } from "./settings.ts";
import { SubscriptionId } from "./subscriptions.ts";
import {
  defineSentAndReceived,
  PageSize,
  required,
  textBlock,
  textLine,
  type WireTypes,
} from "./wire.ts";

/** The BCP 47 tag of a language, in its canonical spelling. */
export const LanguageTag = z
  .string(required("Send a language such as en or mai."))
  .max(MAX_LANGUAGE_TAG, tooLongMessage(MAX_LANGUAGE_TAG))
  .transform((text, context) => {
    const tag = languageTag(text);
    if (tag !== null) return tag;
    context.addIssue({ code: "custom", message: "Send a language such as en or mai." });
    return z.NEVER;
  });

const template = (wire: WireTypes) =>
  wire.object({
    kind: wire.oneOf(MESSAGE_KINDS),
    language: wire.text,
    name: wire.text,
    template_language: wire.text,
  });

const channel = (wire: WireTypes) =>
  wire.object({
    channel: wire.oneOf(SENDING_CHANNELS),
    provider: wire.oneOf(MESSAGE_PROVIDERS),
    ...storedSettings(wire),
    templates: wire.list(template(wire)),
    is_active: wire.boolean,
    /** The most messages a minute, not counting codes. */
    per_minute: wire.integer,
    /** Why the provider last refused the settings; null once it accepts a message again. */
    problem: wire.nullable(wire.text),
    problem_at: wire.nullable(wire.datetime),
    /** The URL for the provider's delivery reports. */
    report_url: wire.url,
    version: wire.id,
  });

export const [ChannelSetups, ReceivedChannelSetups] = defineSentAndReceived((wire) =>
  wire.object({
    results: wire.list(channel(wire)),
    /** The available providers, with the settings that each needs. */
    providers: wire.list(
      wire.object({
        provider: wire.oneOf(MESSAGE_PROVIDERS),
        channel: wire.oneOf(SENDING_CHANNELS),
        settings: wire.list(providerSetting(wire)),
      }),
    ),
    /** The most messages an hour, not counting codes; null for no limit. */
    hour_limit: wire.nullable(wire.integer),
    /**
     * How many messages wait because of the limit, and until when; null while it is not reached.
     */
    over_limit: wire.nullable(wire.object({ count: wire.integer, until: wire.datetime })),
  }),
);
export type ChannelSetups = z.output<typeof ChannelSetups>;

export const [ChannelSetup, ReceivedChannelSetup] = defineSentAndReceived(channel);
export type ChannelSetup = z.output<typeof ChannelSetup>;

/** Body of POST /account/v1/channels/{channel}/; a secret that is left out stays. */
export const SaveChannel = z.strictObject({
  provider: z.enum(MESSAGE_PROVIDERS, `Use one of ${MESSAGE_PROVIDERS.join(", ")}.`),
  settings: GivenSettings,
  templates: z
    .array(
      z.strictObject({
        kind: z.enum(MESSAGE_KINDS),
        language: textLine(MAX_LANGUAGE_TAG),
        name: textLine(200),
        template_language: textLine(20),
      }),
    )
    .max(20, "Use at most 20 templates.")
    .default([]),
  is_active: z.boolean().default(true),
  per_minute: z
    .int("Use a whole number.")
    .min(1, "Use 1 or more.")
    .max(6_000, "Use at most 6,000.")
    .default(60),
  /** The version that was read; null to set up a channel that has none yet. */
  version: z.guid("Send the version that you read.").nullable(),
});
export type SaveChannel = z.output<typeof SaveChannel>;

/** The provider's answer to a check of its settings. */
export const [CheckedChannel, ReceivedCheckedChannel] = defineSentAndReceived((wire) =>
  wire.object({ ok: wire.boolean, text: wire.text, credit: wire.nullable(wire.text) }),
);
export type CheckedChannel = z.output<typeof CheckedChannel>;

/** Body of POST /account/v1/channels/{channel}/test/: a phone number or a mail address. */
export const SendTestMessage = z.strictObject({ to: textLine(254) });
export type SendTestMessage = z.output<typeof SendTestMessage>;

const message = (wire: WireTypes) =>
  wire.object({
    id: wire.id,
    kind: wire.oneOf(MESSAGE_KINDS),
    state: wire.oneOf(MESSAGE_STATES),
    /** The channel of the next or last try; null if none is left. */
    channel: wire.nullable(wire.oneOf(SENDING_CHANNELS)),
    to: wire.text,
    subscription_id: wire.nullable(wire.id),
    language: wire.text,
    subject: wire.nullable(wire.text),
    /** Null before it is written, and for a code that was sent. */
    text: wire.nullable(wire.text),
    /** The last error. */
    error: wire.nullable(wire.text),
    /** The last error as a name, or as the provider's own code; null without one. */
    error_code: wire.nullable(wire.text),
    queued_at: wire.datetime,
    /** When the message is sent next; null if it is not queued. */
    due_at: wire.nullable(wire.datetime),
    sent_at: wire.nullable(wire.datetime),
    state_at: wire.datetime,
  });

export const [SentMessage, ReceivedSentMessage] = defineSentAndReceived(message);
export type SentMessage = z.output<typeof SentMessage>;

export const [MessagePage, ReceivedMessagePage] = defineSentAndReceived((wire) =>
  wire.object({ next: wire.nullable(wire.text), results: wire.list(message(wire)) }),
);
export type MessagePage = z.output<typeof MessagePage>;

const Moment = z.iso.datetime({
  offset: true,
  error: "Send a time such as 2027-01-31T00:00:00Z.",
});
/**
 * Body of POST /account/v1/messages/: a reminder about a subscription of another service. All
 * placeholders are filled in but {stop}, the address that ends the reminders.
 */
export const HandOverMessage = z
  .strictObject({
    kind: z.literal("reminder", "Send reminder."),
    /** The caller's id of the reason for the message; one message is sent for each cause. */
    cause: textLine(200),
    subscription_id: SubscriptionId.nullable().default(null),
    phone: z.string().trim().max(40, tooLongMessage(40)).default(""),
    email: z.string().trim().max(254, tooLongMessage(254)).default(""),
    language: LanguageTag,
    subject: textLine(300),
    text: textBlock(4_000),
    /** Sent by SMS instead of the text; null to send the text. */
    sms: textBlock(2_000).nullable().default(null),
    /** The values for the provider's approved template. */
    parameters: z.array(z.string().max(1_000)).max(10).default([]),
    /** The only channel to use; null for the first that reaches the recipient. */
    channel: z
      .enum(SENDING_CHANNELS, `Use one of ${SENDING_CHANNELS.join(", ")}.`)
      .nullable()
      .default(null),
    /** The message is not sent before this time; now if left out. */
    due_at: Moment.optional(),
    /** The message is not sent from this time on. */
    expires_at: Moment,
  })
  .refine(({ phone, email }) => phone !== "" || email !== "", {
    error: "Send a phone number or a mail address.",
    path: ["phone"],
  });
export type HandOverMessage = z.output<typeof HandOverMessage>;

export const [HandedMessage, ReceivedHandedMessage] = defineSentAndReceived((wire) =>
  wire.object({
    outcome: wire.oneOf(HANDED_OUTCOMES),
    /** Null unless the outcome is `queued` or `known`. */
    message: wire.nullable(message(wire)),
    /** How many of the account's messages are due. */
    waiting: wire.integer,
  }),
);
export type HandedMessage = z.output<typeof HandedMessage>;

/** The query of GET /account/v1/messages/. */
export const MessageQuery = z.object({
  subscription_id: SubscriptionId.optional(),
  state: z.enum(MESSAGE_STATES, `Use one of ${MESSAGE_STATES.join(", ")}.`).optional(),
  kind: z.enum(MESSAGE_KINDS, `Use one of ${MESSAGE_KINDS.join(", ")}.`).optional(),
  before: z.guid("Use a message's id.").optional(),
  page_size: PageSize,
});

/** Body of POST /account/v1/reminders/languages/. */
export const SetBuyerLanguage = z.strictObject({
  customer_id: z.int().positive(),
  /** Null for the language of the buyer's last message. */
  language: LanguageTag.nullable(),
});
export type SetBuyerLanguage = z.output<typeof SetBuyerLanguage>;
/** The query of GET /account/v1/reminders/languages/. */
export const BuyerLanguageQuery = z
  .object({
    customer_id: z.coerce.number().pipe(z.int().positive()).optional(),
    subscription_id: SubscriptionId.optional(),
  })
  .refine(
    ({ customer_id, subscription_id }) =>
      (customer_id === undefined) !== (subscription_id === undefined),
    { error: "Send either customer_id or subscription_id.", path: ["customer_id"] },
  );
export type BuyerLanguageQuery = z.output<typeof BuyerLanguageQuery>;
export const [BuyerLanguage, ReceivedBuyerLanguage] = defineSentAndReceived((wire) =>
  wire.object({ customer_id: wire.number_id, language: wire.nullable(wire.text) }),
);
export type BuyerLanguage = z.output<typeof BuyerLanguage>;
