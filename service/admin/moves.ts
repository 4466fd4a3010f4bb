import * as z from "zod";
import { sellerNow } from "../sellers/store.ts";
import {
  moveSubscribers,
  previewMove,
  undoMove,
  type MovePreview,
} from "../subscriptions/period-move.ts";
import { defineCommand, flag } from "./command.ts";
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
    const work = confirm ? moveSubscribers : previewMove;
    const now = sellerNow(seller, context.now());
    const json = await work(context.pool, seller, { from, to }, now).catch(failCommand);
    return { json, text: describe(json) };
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
    const json = await undoMove(context.pool, seller, move, now).catch(failCommand);
    return { json, text: `Subscribers that keep their old price: ${json.undone}.` };
  },
);

function describe(move: MovePreview & { move_id?: number }): string {
  const { from, to, subscribers, staying, first_day, last_day, before, after } = move;
  return [
    move.move_id === undefined
      ? `Subscribers to move from ${from} to ${to}: ${subscribers}. Nothing is changed yet; --confirm moves them.`
      : `Subscribers moved from ${from} to ${to}: ${subscribers}. Until their billing date: undo-move --move ${move.move_id}`,
    `  billing dates  ${first_day ?? "none"} to ${last_day ?? "none"}`,
    `  their amounts  ${before.currency} ${before.amount} before, ${after.currency} ${after.amount} after`,
    ...(staying > 0 ? [`  ${staying} stay, because they have ${to} as well`] : []),
  ].join("\n");
}
