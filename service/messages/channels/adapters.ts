import { aakash } from "./aakash.ts";
import type { ChannelAdapter } from "./channel.ts";
import { httpSms } from "./http-sms.ts";
import { smtp } from "./smtp.ts";
import { sparrow } from "./sparrow.ts";
import { twilio } from "./twilio.ts";
import { whatsAppCloud } from "./whatsapp.ts";

/** The protocols by which messages are sent, one adapter for each. */
export const ADAPTERS: readonly ChannelAdapter[] = [
  smtp,
  sparrow,
  aakash,
  twilio,
  whatsAppCloud,
  httpSms,
];
