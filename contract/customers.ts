import type * as z from "zod";
import { pageEnvelope } from "./pagination.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

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
