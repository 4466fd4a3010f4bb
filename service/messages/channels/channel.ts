import type { IncomingHttpHeaders } from "node:http";
import type { z } from "zod";
import type { MessageProvider, SendingChannel } from "#contract/names.ts";
import type { GatewayIo } from "../../outgoing/gateway.ts";

/** A file that is attached to a mail. */
export interface Attachment {
  name: string;
  mediaType: string;
  content: Buffer;
}

export interface OutgoingMessage {
  /** The message's id in the outbox, the same in every try, so that a duplicate is recognised. */
  id: string;
  /** E.164 ("+9779812345678") or a mail address. */
  to: string;
  text: string;
  /** For mail only. */
  subject: string | null;
  kind: "code" | "reminder" | "receipt" | "seller" | "test";
  /** The approved template; WhatsApp takes nothing else 24 hours or more after the buyer wrote. */
  template: { name: string; language: string; parameters: string[] } | null;
  /** The URL at which one POST, without a page between, ends further messages (RFC 8058). */
  unsubscribeUrl: string | null;
  /** For mail only. */
  attachment?: Attachment | null;
  /** Where the gateway may send delivery reports. */
  reportUrl: string | null;
  /** Seconds after which the gateway need not deliver any more. */
  validSeconds: number | null;
}

/**
 * What became of a message. `code` and `text` never hold a number, an address, a secret or a
 * part of the message.
 */
export type SendResult =
  | { state: "accepted"; reference: string | null }
  /**
   * Refused: the gateway would refuse the same again. `credentials`: it refuses every message until
   * the account's settings, credit or standing at the gateway are put right.
   */
  | {
      state: "failed";
      code: string;
      text: string;
      about: "recipient" | "credentials" | "message";
    }
  /** Surely not sent: it can be sent later, after `afterSeconds` if the gateway named a wait. */
  | { state: "retry"; code: string; text: string; afterSeconds: number | null }
  /** The request was sent and no usable answer came: the message may have been sent. */
  | { state: "unknown"; text: string };

export interface ReportedState {
  /** The gateway's id of the message. */
  reference: string;
  /** Our id if the report contains it; it finds a message that has no reference yet. */
  messageId: string | null;
  state: "accepted" | "delivered" | "read" | "failed";
  code: string | null;
  at: Date | null;
}

export interface ReportRequest {
  method: string;
  /** The public URL, as the gateway called it. */
  url: string;
  headers: IncomingHttpHeaders;
  rawBody: Buffer;
}

export interface ReadReports {
  reports: ReportedState[];
  /** Numbers in E.164 form that answered with a word like STOP. */
  stops?: string[];
  /** What to answer where the protocol wants more than 204. */
  answer?: { status: number; body: string };
}

export type ChannelIo = GatewayIo;

export interface ChannelCheck {
  ok: boolean;
  /** What was proven or what is wrong, without secrets. */
  text: string;
  /** Credit left, in the gateway's own words. */
  credit?: string;
}

/** A protocol by which messages are sent. No method throws for what a gateway answers. */
export interface ChannelAdapter {
  readonly provider: MessageProvider;
  readonly channel: SendingChannel;
  /** Strict; each field has a description. */
  readonly settings: z.ZodType<Record<string, unknown>>;
  /** The fields that are sealed and never shown again. */
  readonly secrets: readonly string[];
  /** Sends once; never repeats by itself. */
  send(
    message: OutgoingMessage,
    settings: Record<string, unknown>,
    io: ChannelIo,
  ): Promise<SendResult>;
  /** Proves the settings as far as the gateway lets it, without sending a message. */
  check(settings: Record<string, unknown>, io: ChannelIo): Promise<ChannelCheck>;
  /** @returns null if the request does not prove that the gateway sent it */
  readReports?(request: ReportRequest, settings: Record<string, unknown>): ReadReports | null;
}
