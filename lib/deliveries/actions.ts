"use server";

import * as z from "zod";
import { fieldFailure } from "#lib/auth/field-failure.ts";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { message } from "#lib/i18n/message.ts";
import { zonedMoment } from "#lib/format/zoned-moment.ts";
import { DeliveryClient } from "#lib/billing/delivery-client.ts";

const Id = z.int().nonnegative();
const NO_MOMENT = message("deliveries.recover.noMoment");

/** Sends the same id and body again at once, also to a paused endpoint. */
export const resendDeliveryAction = sellerAction({
  name: "delivery.resend",
  permission: "webhooks:write",
  input: z.object({ id: Id }),
  run: async ({ billing }, { id }, note) => {
    note.detail = { delivery_id: id };
    await new DeliveryClient(billing).resendDelivery(id);
    return null;
  },
});

/** Resends events that an endpoint missed since a moment in the seller's time zone. */
export const recoverDeliveriesAction = sellerAction({
  name: "delivery.recover",
  permission: "webhooks:write",
  input: z.object({
    webhook_id: Id,
    /** The start of the time span, in the format of a datetime-local field. */
    since: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/, NO_MOMENT),
  }),
  run: async ({ billing, seller }, { webhook_id, since }, note) => {
    const moment = zonedMoment(since, seller.time_zone);
    if (moment === null) throw fieldFailure("since", NO_MOMENT);
    note.detail = { webhook_id, since: moment };
    const answer = await new DeliveryClient(billing).recoverDeliveries({
      webhook_id,
      since: moment,
    });
    note.detail = { ...note.detail, ...answer };
    return answer;
  },
});

/** Sends an example event, signed like a real one; its reason says "example". */
export const sendExampleAction = sellerAction({
  name: "delivery.send-example",
  permission: "webhooks:write",
  input: z.object({ webhook_id: Id, event: z.string().min(1).max(100) }),
  run: ({ billing }, { webhook_id, event }, note) => {
    note.detail = { webhook_id, event };
    return new DeliveryClient(billing).sendExample(webhook_id, event);
  },
});
