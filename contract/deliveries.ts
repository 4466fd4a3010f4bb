import * as z from "zod";
import { EVENT_KINDS } from "./names.ts";
import { defineSentAndReceived, PageSize, type WireTypes } from "./wire.ts";

/**
 * ADR 0051: a pending delivery is in progress or will start soon; a retrying one failed at
 * least once and will be attempted again.
 */
const DELIVERY_STATES = ["pending", "retrying", "delivered", "failed", "skipped"] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Why an endpoint was switched off: it answered 410, or every attempt failed for five days. */
const NOTICE_KINDS = ["gone", "failing"] as const;

const fields = (wire: WireTypes) => ({
  id: wire.number_id,
  event_id: wire.text,
  event: wire.oneOf(EVENT_KINDS),
  webhook_id: wire.number_id,
  endpoint_url: wire.text,
  subscription_id: wire.text,
  state: wire.oneOf(DELIVERY_STATES),
  attempts: wire.integer,
  /** Both fields describe the last attempt. */
  last_response_code: wire.nullable(wire.integer),
  last_error: wire.nullable(wire.text),
  next_attempt_at: wire.nullable(wire.datetime),
  created_at: wire.datetime,
  finished_at: wire.nullable(wire.datetime),
});

const attempt = (wire: WireTypes) =>
  wire.object({
    started_at: wire.datetime,
    duration_ms: wire.integer,
    request: wire.object({ url: wire.text, headers: wire.texts, body: wire.text }),
    response: wire.nullable(
      wire.object({ code: wire.integer, body: wire.nullable(wire.text) }),
    ),
    error: wire.nullable(wire.text),
  });

const notice = (wire: WireTypes) =>
  wire.object({
    id: wire.number_id,
    webhook_id: wire.number_id,
    endpoint_url: wire.text,
    kind: wire.oneOf(NOTICE_KINDS),
    message: wire.text,
    created_at: wire.datetime,
  });

export const [Delivery, ReceivedDelivery] = defineSentAndReceived((wire) =>
  wire.object({ ...fields(wire), body: wire.text, attempt_list: wire.list(attempt(wire)) }),
);
export type Delivery = z.output<typeof Delivery>;
export type Attempt = Delivery["attempt_list"][number];

export const [DeliveryPage, ReceivedDeliveryPage] = defineSentAndReceived((wire) =>
  wire.object({
    next: wire.nullable(wire.text),
    results: wire.list(wire.object(fields(wire))),
  }),
);
export type DeliveryPage = z.output<typeof DeliveryPage>;
export type DeliveryRow = DeliveryPage["results"][number];

export const [NoticeList, ReceivedNoticeList] = defineSentAndReceived((wire) =>
  wire.object({ results: wire.list(notice(wire)) }),
);
export type NoticeList = z.output<typeof NoticeList>;
export type EndpointNotice = NoticeList["results"][number];

export const [RecoveredDeliveries, ReceivedRecoveredDeliveries] = defineSentAndReceived(
  (wire) =>
    wire.object({
      recovered: wire.integer,
      /**
       * How many deliveries are still missed, counted up to 100,000; the next call sends more of
       * them.
       */
      left: wire.integer,
    }),
);
export type RecoveredDeliveries = z.output<typeof RecoveredDeliveries>;

export const [SentExample, ReceivedSentExample] = defineSentAndReceived((wire) =>
  wire.object({ delivery_id: wire.number_id }),
);
export type SentExample = z.output<typeof SentExample>;

const Moment = z.iso.datetime({ offset: true });
const Id = z.int().positive();
const InQuery = z.coerce.number().pipe(Id);

/** The query of GET /account/v1/deliveries/; both ends of the date range are included. */
export const DeliveryQuery = z.object({
  state: z.enum(DELIVERY_STATES).optional(),
  skipped: z.stringbool().default(true),
  event: z.enum(EVENT_KINDS).optional(),
  webhook_id: InQuery.optional(),
  subscription_id: z.uuid().optional(),
  created_from: Moment.optional(),
  created_to: Moment.optional(),
  before: InQuery.optional(),
  page_size: PageSize,
});
export type DeliveryQuery = z.output<typeof DeliveryQuery>;

/** Body of POST /account/v1/deliveries/recover/. */
export const RecoverDeliveries = z.object({ webhook_id: Id, since: Moment });
export type RecoverDeliveries = z.output<typeof RecoverDeliveries>;

/** Body of POST /account/v1/webhooks/{id}/example/. */
export const SendExample = z.object({ event: z.enum(EVENT_KINDS) });
