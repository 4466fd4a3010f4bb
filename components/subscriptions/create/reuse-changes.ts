import type { Subscription } from "#contract/subscriptions.ts";

type Told = Pick<Subscription, "client" | "product">;
type Money = (amount: string, currency: string) => string;
type Read = (one: Told, money: Money) => string | undefined;

const PARTS = {
  period: ({ product }) => product.label,
  price: ({ product }, money) => product.price && money(product.price, product.currency),
  phone: ({ client }) => client.phone,
  name: ({ client }) => client.full_name,
  email: ({ client }) => client.email,
  address: ({ client }) => client.address,
  businessName: ({ client }) => client.billing?.business_name,
  panVat: ({ client }) => client.billing?.pan_vat,
  billingEmail: ({ client }) => client.billing?.email,
  billingAddress: ({ client }) => client.billing?.address,
  shippingName: ({ client }) => client.shipping?.full_name,
  shippingPhone: ({ client }) => client.shipping?.phone,
  shippingEmail: ({ client }) => client.shipping?.email,
  shippingAddress: ({ client }) => client.shipping?.address,
} satisfies Record<string, Read>;

export interface ReuseChange {
  part: keyof typeof PARTS;
  /** Empty if unset. */
  before: string;
  after: string;
}

/** The fields that changed when an unpaid subscription was reused. */
export function changesOfReuse(before: Told, after: Told, money: Money): ReuseChange[] {
  return (Object.keys(PARTS) as ReuseChange["part"][])
    .map((part) => {
      const read: Read = PARTS[part];
      return { part, before: read(before, money) ?? "", after: read(after, money) ?? "" };
    })
    .filter((row) => row.before !== row.after);
}
