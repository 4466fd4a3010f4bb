import type * as z from "zod";
import { pageEnvelope } from "./pagination.ts";
import { defineSentAndReceived, type WireTypes } from "./wire.ts";

const customer = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    buyer_phone: wire.text,
    buyer_email: wire.text,
    full_name: wire.text,
    created_at: wire.datetime,
  });

export const [Customer, ReceivedCustomer] = defineSentAndReceived(customer);
export type Customer = z.output<typeof Customer>;

export const [CustomerPage, ReceivedCustomerPage] = defineSentAndReceived((wire) =>
  wire.object(pageEnvelope(wire, customer(wire))),
);
export type CustomerPage = z.output<typeof CustomerPage>;
