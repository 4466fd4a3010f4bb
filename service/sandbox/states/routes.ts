import type { FastifyInstance } from "fastify";
import { SaveState } from "#contract/sandbox.ts";
import type { ServiceContext } from "../../context.ts";
import { sellerOf } from "../../http/authenticate.ts";
import { notFound } from "../../http/errors.ts";
import { readRecordId } from "../../http/record-id.ts";
import { write } from "../../http/write.ts";
import { forgetState, goBackTo, listStates, saveState } from "./states.ts";

interface Id {
  id: string;
}

export function stateRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, now } = context;

  api.get("/states/", (request) => listStates(pool, sellerOf(request).seller_id));

  api.post(
    "/states/",
    write(context, {
      status: 201,
      schema: SaveState,
      work: ({ database, seller: { seller_id } }, { name }) =>
        saveState(database, { seller_id, realNow: now() }, name),
    }),
  );

  api.post(
    "/states/:id/restore/",
    write<Id>(context, {
      status: 200,
      work: ({ database, seller: { seller_id } }, _, { params }) =>
        goBackTo(database, { seller_id, realNow: now() }, requireId(params)),
    }),
  );

  api.post(
    "/states/:id/delete/",
    write<Id>(context, {
      status: 200,
      work: async ({ database, seller }, _, { params }) => {
        await forgetState(database, seller.seller_id, requireId(params));
        return { message: "The state is deleted." };
      },
    }),
  );
}

function requireId({ id }: Id): number {
  const number = readRecordId(id);
  if (number === null) throw notFound();
  return number;
}
