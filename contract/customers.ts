import type * as z from "zod";
import { CORRECTED_FIELDS } from "./names.ts";
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
