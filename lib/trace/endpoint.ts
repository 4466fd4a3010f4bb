const WORDS = new Set(
  `api v1 products subscriptions customers webhooks cancel resume update-billing-cycle sandbox clock
   forecast preview next advance reset states restore delete scenarios pay deliveries resend recover
   example rotate-secret notices`.split(/\s+/),
);

/** A path of the billing API without what it names: an id opens a checkout, and there are too many. */
export const endpointOf = (path: string): string =>
  path
    .split("/")
    .map((part) => (WORDS.has(part) ? part : "{id}"))
    .join("/");
