import type { AccountProfile } from "#contract/account.ts";

/** The color of checkouts whose business chose none. */
export const DEFAULT_COLOR = "#1f5fbf";

/** The look of the business at its checkout; null where nothing was chosen. */
export type CheckoutLook = Pick<
  AccountProfile,
  | "checkout_name"
  | "checkout_color"
  | "checkout_logo"
  | "support_email"
  | "support_phone"
  | "pay_otherwise"
>;

export const checkoutLookOf = ({
  checkout_name,
  checkout_color,
  checkout_logo,
  support_email,
  support_phone,
  pay_otherwise,
}: CheckoutLook): CheckoutLook => ({
  checkout_name,
  checkout_color,
  checkout_logo,
  support_email,
  support_phone,
  pay_otherwise,
});
