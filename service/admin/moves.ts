import * as z from "zod";
import { sellerNow } from "../sellers/store.ts";
import {
  beginMove,
  beginUndo,
  previewMove,
  spreadMove,
  type MovePreview,
} from "../subscriptions/period-move.ts";
import { AdminCommandFailure, defineCommand, flag } from "./command.ts";
import { failCommand } from "./products.ts";
import { requireSeller, SellerOption } from "./sellers.ts";

export const moveToPeriod = defineCommand(
  "move-subscribers",
  "Shows what moving the subscribers of an archived billing period to another one would change; with --confirm moves them, from their next billing date on.",
  {
    seller: SellerOption,
    from: z.string().min(1).meta({ description: "the archived period", placeholder: "PBP_ID" }),
    to: z.string().min(1).optional().meta({
      description: "the period on sale; if left out, the one that replaced it",
      placeholder: "PBP_ID",
    }),
    confirm: flag("moves them; without it nothing is changed"),
  },
  async (context, { seller: named, from, to, confirm }) => {
    const seller = await requireSeller(context.pool, named);
    const now = sellerNow(seller, context.now());
    const work = confirm ? beginMove : previewMove;
    const move: MovePreview & { id?: number } = await work(
      context.pool,
      seller,
      { from, to },
      now,
    ).catch(failCommand);
    if (move.id !== undefined) await spreadMove(context.pool, seller.seller_id, move.id);
    return { json: move, text: describe(move) };
  },
);

export const undoPeriodMove = defineCommand(
  "undo-move",
  "Undoes a move of subscribers for all whose billing date has not come yet.",
  {
    seller: SellerOption,
    move: z.coerce
      .number({ error: "write the number of the move" })
      .int("write the number of the move")
      .positive("write the number of the move")
      .meta({ description: "its number", placeholder: "NUMBER" }),
  },
  async (context, { seller: named, move }) => {
    const seller = await requireSeller(context.pool, named);
    const now = sellerNow(seller, context.now());
    const undone = await beginUndo(context.pool, seller, move, now);
    if (!undone) throw new AdminCommandFailure(`there is no move ${move}`);
    await spreadMove(context.pool, seller.seller_id, move);
    return { json: undone, text: `Subscribers that keep their old price: ${undone.undone}.` };
  },
);

function describe(move: MovePreview & { id?: number }): string {
  const { from, to, subscribers, staying, first_day, last_day, before, after } = move;
  return [
    move.id === undefined
      ? `Subscribers to move from ${from} to ${to}: ${subscribers}. Nothing is changed yet; --confirm moves them.`
      : `Subscribers moved from ${from} to ${to}: ${subscribers}. Until their billing date: undo-move --move ${move.id}`,
    `  billing dates  ${first_day ?? "none"} to ${last_day ?? "none"}`,
    `  their amounts  ${before.currency} ${before.amount} before, ${after.currency} ${after.amount} after`,
    ...(staying > 0 ? [`  ${staying} stay, because they have ${to} as well`] : []),
  ].join("\n");
}
