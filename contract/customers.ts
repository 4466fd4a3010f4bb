import type * as z from "zod";
import { envelope } from "./pagination.ts";
import { strict, tolerant, type Wire } from "./wire.ts";

const customer = (wire: Wire) =>
  wire.object({
    id: wire.number_id,
    buyer_phone: wire.text,
    buyer_email: wire.text,
    full_name: wire.text,
    created_at: wire.datetime,
  });

const customerPage = (wire: Wire) => wire.object(envelope(wire, customer(wire)));

export const Customer = customer(strict);
export type Customer = z.output<typeof Customer>;
export const ReceivedCustomer = customer(tolerant);

export const CustomerPage = customerPage(strict);
export type CustomerPage = z.output<typeof CustomerPage>;
export const ReceivedCustomerPage = customerPage(tolerant);
