import * as z from "zod";
import { LanguageTag } from "./messages.ts";
import { CORRECTED_FIELDS } from "./names.ts";
import { SubscriptionId } from "./subscriptions.ts";
import { defineSentAndReceived, pageEnvelope, type WireTypes } from "./wire.ts";

export const customerRecord = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    buyer_phone: wire.text,
    buyer_email: wire.text,
    full_name: wire.text,
    created_at: wire.datetime,
  });

export const [Customer, ReceivedCustomer] = defineSentAndReceived(customerRecord);
export type Customer = z.output<typeof Customer>;

export const [CustomerPage, ReceivedCustomerPage] = defineSentAndReceived((wire) =>
  wire.object(pageEnvelope(wire, customerRecord(wire))),
);
export type CustomerPage = z.output<typeof CustomerPage>;

/** The details that a subscription's buyer corrected at the checkout, newest first. */
export const [CorrectionList, ReceivedCorrectionList] = defineSentAndReceived((wire) =>
  wire.object({
    /** When the buyer ordered it at a shared link; null if the seller created it. */
    ordered_at: wire.nullable(wire.datetime),
    results: wire.list(
      wire.object({
        id: wire.text,
        corrected_at: wire.datetime,
        changes: wire.list(
          wire.object({
            field: wire.oneOf(CORRECTED_FIELDS),
            before: wire.text,
            after: wire.text,
          }),
        ),
      }),
    ),
  }),
);
export type CorrectionList = z.output<typeof CorrectionList>;
export type DetailChange = CorrectionList["results"][number]["changes"][number];

/** Body of POST /account/v1/reminders/languages/. */
export const SetBuyerLanguage = z.strictObject({
  customer_id: z.int().positive(),
  /** Null for that of the last message. */
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
