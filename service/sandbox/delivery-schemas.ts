import * as z from "zod";
import { EVENT_KINDS } from "#contract/events.ts";
import { DELIVERY_STATES } from "../deliveries/store.ts";

const Moment = z.iso.datetime({ offset: true });
const Id = z.int().positive();
const InQuery = z.coerce.number().pipe(Id);

export const DeliveryQuery = z.object({
  state: z.enum(DELIVERY_STATES).optional(),
  event: z.enum(EVENT_KINDS).optional(),
  webhook_id: InQuery.optional(),
  subscription_id: z.uuid().optional(),
  created_from: Moment.optional(),
  created_to: Moment.optional(),
  before: InQuery.optional(),
  page_size: z.coerce.number().pipe(z.int().min(1).max(100)).default(20),
});
export type DeliveryQuery = z.infer<typeof DeliveryQuery>;

export const RecoverDeliveries = z.object({ webhook_id: Id, since: Moment });
export const SendExample = z.object({ event: z.enum(EVENT_KINDS) });

const delivery = {
  id: Id,
  event_id: z.uuid(),
  event: z.enum(EVENT_KINDS),
  webhook_id: Id,
  endpoint_url: z.string(),
  subscription_id: z.uuid(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.int(),
  last_response_code: z.int().nullable(),
  last_error: z.string().nullable(),
  next_attempt_at: Moment.nullable(),
  created_at: Moment,
  finished_at: Moment.nullable(),
};

export const DeliveryPage = z.strictObject({
  next: z.url().nullable(),
  results: z.array(z.strictObject(delivery)),
});

export type DeliveryPage = z.infer<typeof DeliveryPage>;

const Attempt = z.strictObject({
  started_at: Moment,
  duration_ms: z.int(),
  request: z.strictObject({
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  response: z.strictObject({ code: z.int(), body: z.string().nullable() }).nullable(),
  error: z.string().nullable(),
});

export const Delivery = z.strictObject({
  ...delivery,
  body: z.string(),
  attempt_list: z.array(Attempt),
});

export const Recovered = z.strictObject({ recovered: z.int() });
export const SentExample = z.strictObject({ delivery_id: Id });
