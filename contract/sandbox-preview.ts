import * as z from "zod";
import { SUBSCRIPTION_STATUSES } from "./subscription-statuses.ts";
import { strict, tolerant, type Wire } from "./wire.ts";

export const PREVIEW_LISTS = ["due", "ended"] as const;

const row = (wire: Wire) =>
  wire.object({
    subscription_id: wire.id,
    full_name: wire.text,
    product_name: wire.text,
    plan_name: wire.text,
    label: wire.text,
    price: wire.decimal,
    amount: wire.decimal,
    currency: wire.text,
    old_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    since: wire.nullable(wire.datetime),
    ends_at: wire.nullable(wire.datetime),
  });

const deskPreview = (wire: Wire) =>
  wire.object({
    from: wire.datetime,
    to: wire.datetime,
    statuses: wire.list(
      wire.object({
        status: wire.oneOf(SUBSCRIPTION_STATUSES),
        now: wire.integer,
        later: wire.integer,
      }),
    ),
    newly_due: wire.integer,
    unpaid: wire.integer,
    cancelled: wire.integer,
    abandoned: wire.integer,
    money: wire.list(
      wire.object({
        currency: wire.text,
        owed_now: wire.decimal,
        owed_then: wire.decimal,
        lost: wire.decimal,
      }),
    ),
    list: wire.oneOf(PREVIEW_LISTS),
    count: wire.integer,
    results: wire.list(row(wire)),
  });

/**
 * How an account will stand at `to` if nobody pays until then. `results` are a page of those that are
 * due then (first what ends first: `ends_at`) or of those that have ended by then (`since`).
 */
export const DeskPreview = deskPreview(strict);
export type DeskPreview = z.output<typeof DeskPreview>;
export const ReceivedDeskPreview = deskPreview(tolerant);

/** Beside the moment, which is given as for a move of the clock. */
export const PreviewQuery = z.object({
  list: z.enum(PREVIEW_LISTS, { error: "Use due or ended." }).default("due"),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  page_size: z.coerce.number().int().min(1).max(100).default(20),
});
export type PreviewQuery = z.output<typeof PreviewQuery>;

const step = (wire: Wire) =>
  wire.object({
    at: wire.datetime,
    new_status: wire.oneOf(SUBSCRIPTION_STATUSES),
    reason: wire.text,
  });

const nextEvent = (wire: Wire) =>
  wire.object({ next: wire.nullable(step(wire)), others: wire.integer });

/** What time next does to one subscription, and how much else it does until then. */
export const NextEvent = nextEvent(strict);
export type NextEvent = z.output<typeof NextEvent>;
export const ReceivedNextEvent = nextEvent(tolerant);
