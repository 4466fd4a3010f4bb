import * as z from "zod";
import { FIELD_MESSAGES, isPlainText } from "./field-messages.ts";
import { PAYMENT_METHODS } from "./names.ts";
import { defineSentAndReceived, strictTypes, type WireTypes } from "./wire.ts";

export const paymentRecord = (wire: WireTypes) =>
  wire.object({
    payment_id: wire.id,
    /** What the buyer's receipt calls it: the first eight characters of the id, in capitals. */
    reference: wire.text,
    subscription_id: wire.text,
    customer: wire.object({
      id: wire.number_id,
      full_name: wire.text,
      buyer_phone: wire.text,
      buyer_email: wire.text,
    }),
    product: wire.object({ product_id: wire.text, name: wire.text, plan_name: wire.text }),
    amount: wire.decimal,
    currency: wire.text,
    /** The tax inside the amount; null when none applies. */
    vat: wire.nullable(wire.decimal),
    fee: wire.decimal,
    method: wire.oneOf(PAYMENT_METHODS),
    provider_reference: wire.nullable(wire.text),
    /** What was given back of the amount, and what still has to be. */
    refunded: wire.decimal,
    refund_owed: wire.decimal,
    /** When a member said that this recorded payment was none; null for all others. */
    reversed_at: wire.nullable(wire.datetime),
    /** How a member recorded it; null for a payment at the checkout. */
    recorded: wire.nullable(
      wire.object({
        id: wire.text,
        by: wire.text,
        approved_by: wire.nullable(wire.text),
        reference: wire.text,
        received_on: wire.date,
        has_photo: wire.boolean,
      }),
    ),
    period_start: wire.datetime,
    paid_at: wire.datetime,
  });

export const AccountPayment = paymentRecord(strictTypes);
export type AccountPayment = z.output<typeof AccountPayment>;

export const [AccountPaymentPage, ReceivedAccountPaymentPage] = defineSentAndReceived((wire) =>
  wire.object({ next: wire.nullable(wire.text), results: wire.list(paymentRecord(wire)) }),
);
export type AccountPaymentPage = z.output<typeof AccountPaymentPage>;

/** The query of GET /account/v1/payments/. */
export const PaymentQuery = z.object({
  reference: z
    .string()
    .trim()
    .min(4, "Write at least four characters of the reference.")
    .max(200, "A reference has at most 200 characters.")
    .refine(isPlainText, FIELD_MESSAGES.hidden)
    .optional(),
  customer_id: z.coerce.number().pipe(z.int().positive()).optional(),
  subscription_id: z.uuid().optional(),
  amount: z
    .string()
    .regex(/^\d{1,12}(\.\d{1,2})?$/, "Write an amount such as 1299.00.")
    .optional(),
  // PostgreSQL has no year 0.
  day: z.iso
    .date("Write a day as YYYY-MM-DD.")
    .refine((text) => text >= "0001", "Choose a later day.")
    .optional(),
  before: z.uuid().optional(),
  page_size: z.coerce.number().pipe(z.int().min(1).max(100)).default(20),
});
export type PaymentQuery = z.output<typeof PaymentQuery>;
