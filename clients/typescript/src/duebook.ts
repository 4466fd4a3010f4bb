import { Duebook } from "./generated/resources.ts";
import { Transport, type DuebookOptions } from "./transport.ts";

/**
 * A client of one account. Its writes are sent with an idempotency key and tried again only where
 * that is safe.
 * @throws DuebookError for options that cannot be used
 */
export const duebook = (options: DuebookOptions): Duebook =>
  new Duebook(new Transport(options));

export { DuebookError, type DuebookErrorCode } from "./error.ts";
export { Pages, type Page } from "./pages.ts";
export type { DuebookOptions, RequestOptions, WriteOptions } from "./transport.ts";
export { verifyWebhook, type DeliveryHeaders, type VerifyOptions } from "./webhook.ts";
export type * from "./generated/schemas.ts";
export type * from "./generated/resources.ts";
