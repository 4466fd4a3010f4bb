import type { FastifyInstance } from "fastify";
import { RestoredAccount, SavedState, SaveState, StateList } from "#contract/sandbox.ts";
import { Message } from "#contract/subscriptions.ts";
import type { ServiceContext } from "../../context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { requireRecordId } from "../../http/ids.ts";
import { withRouteDoc } from "../../http/route-doc.ts";
import { writeRoute } from "../../http/write.ts";
import { BUSY_DESCRIPTION } from "../account/replace.ts";
import { removeState, restoreSavedState, listStates, saveState } from "./states.ts";

interface Id {
  id: string;
}

export function stateRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now } = context;

  api.get(
    "/states/",
    withRouteDoc({
      summary: "List saved states",
      description:
        "Newest first: states saved by hand, and those saved automatically before the clock was moved, a scenario started, or another state was restored.",
      answer: StateList,
    }),
    (request) => listStates(pool, sellerOf(request).seller_id),
  );

  api.post(
    "/states/",
    writeRoute(context, {
      summary: "Save the account's state",
      description:
        "Saves all of the account's records and its clock. API keys and account settings are not included.",
      status: 201,
      success: "Saved",
      answer: SavedState,
      schema: SaveState,
      work: ({ database, seller: { seller_id } }, { name }) =>
        saveState(database, { seller_id, realNow: now() }, name),
    }),
  );

  api.post(
    "/states/:id/restore/",
    writeRoute<Id>(context, {
      summary: "Restore a saved state",
      description:
        "Restores everything at once. Deliveries sent since then are not taken back and stay in the list of deliveries; those not yet sent are cancelled. Webhook endpoints keep their newest secret.",
      answer: RestoredAccount,
      refusals: { 409: BUSY_DESCRIPTION },
      work: ({ database, seller: { seller_id } }, _, { params }) =>
        restoreSavedState(database, { seller_id, realNow: now() }, requireRecordId(params.id)),
    }),
  );

  api.post(
    "/states/:id/delete/",
    writeRoute<Id>(context, {
      summary: "Delete a saved state",
      answer: Message,
      work: async ({ database, seller }, _, { params }) => {
        await removeState(database, seller.seller_id, requireRecordId(params.id));
        return { message: "The state is deleted." };
      },
    }),
  );
}
