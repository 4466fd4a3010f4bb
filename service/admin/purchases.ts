import * as z from "zod";
import { PAYMENT_METHODS } from "#contract/names.ts";
import { CreateSubscription } from "#contract/subscriptions.ts";
import { lockCheckout } from "../checkout/open.ts";
import { settlePayment } from "../checkout/settle.ts";
import { transaction, type Database } from "../db/database.ts";
import { ApiError } from "../http/errors.ts";
import { sellerNow } from "../sellers/store.ts";
import { createSubscription } from "../subscriptions/create.ts";
import {
  defineCommand,
  UsageError,
  AdminCommandFailure,
  type AdminContext,
} from "./command.ts";
import { requireSeller, SellerOption } from "./sellers.ts";

const line = (description: string) => z.string().meta({ description });

export const registerPurchase = defineCommand(
  "register-purchase",
  "Registers a one-time purchase that was paid. It is listed with the subscriptions, and never bills again.",
  {
    seller: SellerOption,
    period: z
      .string()
      .meta({ description: "the pbp_id of a one-time period", placeholder: "PBP_ID" }),
    phone: line("the buyer's phone, by which a buyer is known"),
    "full-name": line("the buyer's name"),
    email: line("the buyer's email address"),
    address: line("the buyer's address"),
    method: z
      .enum(PAYMENT_METHODS, { error: `use one of ${PAYMENT_METHODS.join(", ")}` })
      .default("bank")
      .meta({
        description: `how it was paid: ${PAYMENT_METHODS.join(", ")}; bank if left out`,
        placeholder: "METHOD",
      }),
  },
  async (context, options) => {
    const input = readPurchase(context, options);
    const subscription_id = await transaction(context.pool, async (database) => {
      const seller = await requireSeller(database, options.seller);
      await requireOneTime(database, seller.seller_id, options.period);
      const write = {
        ...context.config,
        database,
        seller,
        clock: () => sellerNow(seller, context.now()),
      };
      const created = await createSubscription(write, input);
      const checkout = await lockCheckout(database, created.subscription_id, context.now());
      await settlePayment(database, checkout, { method: options.method });
      return created.subscription_id;
    }).catch((error: unknown) => {
      throw error instanceof ApiError
        ? new AdminCommandFailure(Object.values(error.body).flat().join(" "))
        : error;
    });
    return {
      json: { subscription_id, status: "active", pbp_id: options.period },
      text: `One-time purchase ${subscription_id} is registered.`,
    };
  },
);

type Buyer = Record<"period" | "phone" | "full-name" | "email" | "address", string>;

function readPurchase({ config }: AdminContext, given: Buyer): CreateSubscription {
  const { period: pbp_id, phone, "full-name": full_name, email, address } = given;
  const input = CreateSubscription.safeParse({
    pbp_id,
    return_url: config.publicUrl,
    client: { phone, full_name, email, address },
  });
  if (input.success) return input.data;
  const [issue] = input.error.issues;
  throw new UsageError(`${String(issue?.path.at(-1)).replace("_", "-")}: ${issue?.message}`);
}

async function requireOneTime(database: Database, sellerId: number, pbpId: string) {
  const { rows } = await database.query<{ interval_type: string }>(
    "select interval_type from billing_period where seller_id = $1 and pbp_id = $2",
    [sellerId, pbpId],
  );
  if (rows[0]?.interval_type !== "one_time")
    throw new AdminCommandFailure(`'${pbpId}' is not a one-time billing period of this seller`);
}
