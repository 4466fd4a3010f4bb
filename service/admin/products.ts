import { readFile } from "node:fs/promises";
import * as z from "zod";
import { transaction, violatesConstraint, type Database } from "../db/database.ts";
import { insertCatalogue } from "../products/catalogue.ts";
import { archivePeriod, editProduct } from "../products/edit.ts";
import { NewProduct, ProductChange } from "../products/input.ts";
import { CatalogueError } from "../products/price.ts";
import { findProduct } from "../products/store.ts";
import { defineCommand, AdminCommandFailure, type AdminContext } from "./command.ts";
import { requireSeller, SellerOption } from "./sellers.ts";

const FileOption = z
  .string()
  .min(1)
  .default("-")
  .meta({ description: "a JSON file; standard input if left out or -", placeholder: "FILE" });

export const addProduct = defineCommand(
  "add-product",
  "Adds a product with its plans, billing periods, offers, VAT and images from JSON.",
  { seller: SellerOption, file: FileOption },
  async (context, options) => {
    const input = await readJson(context, options.file, NewProduct);
    return inTransaction(context, async (database) => {
      const { seller_id } = await requireSeller(database, options.seller);
      const [id = ""] = await insertCatalogue(database, seller_id, [input], context.now());
      return productAnswer(database, seller_id, id, "added");
    });
  },
);

export const changeProduct = defineCommand(
  "edit-product",
  "Changes a product from JSON. What is left out stays; new_plans and new_billing_periods add. A sold price stays: another price, VAT or offer archives a sold period and puts a new one in its place.",
  {
    seller: SellerOption,
    product: z.uuid("not a product id").meta({ description: "its id", placeholder: "UUID" }),
    file: FileOption,
  },
  async (context, options) => {
    const input = await readJson(context, options.file, ProductChange);
    return inTransaction(context, async (database) => {
      const { seller_id } = await requireSeller(database, options.seller);
      const place = { sellerId: seller_id, productId: options.product };
      await editProduct(database, place, input, context.now());
      return productAnswer(database, seller_id, options.product, "changed");
    });
  },
);

export const archiveBillingPeriod = defineCommand(
  "archive-period",
  "Takes a billing period off the list. Subscriptions that have it go on as they are.",
  {
    seller: SellerOption,
    period: z.string().min(1).meta({ description: "its pbp_id", placeholder: "PBP_ID" }),
  },
  async (context, { seller, period }) =>
    inTransaction(context, async (database) => {
      const { seller_id } = await requireSeller(database, seller);
      await archivePeriod(database, seller_id, period);
      return { json: { pbp_id: period, is_archived: true }, text: `${period} is archived.` };
    }),
);

async function readJson<Schema extends z.ZodType>(
  { readInput }: AdminContext,
  file: string,
  schema: Schema,
): Promise<z.output<Schema>> {
  const text = await (file === "-" ? readInput() : readFile(file, "utf8")).catch(() => {
    throw new AdminCommandFailure(`cannot read ${file}`);
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AdminCommandFailure("the input is not JSON");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AdminCommandFailure(`${issue?.path.join(".") || "the input"}: ${issue?.message}`);
}

async function inTransaction<Result>(
  { pool }: AdminContext,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  return transaction(pool, work).catch(failCommand);
}

/** @throws AdminCommandFailure for a change that the catalogue refuses, else the error */
export function failCommand(error: unknown): never {
  if (error instanceof CatalogueError) throw new AdminCommandFailure(error.message);
  if (violatesConstraint(error, "billing_period_pkey"))
    throw new AdminCommandFailure("a pbp_id is taken already; leave it out to get a new one");
  throw error;
}

async function productAnswer(database: Database, sellerId: number, id: string, done: string) {
  const product = await findProduct(database, sellerId, id);
  const periods = product?.plan.flatMap((plan) => plan.billing_periods) ?? [];
  return {
    json: product,
    text: [
      `${product?.name} is ${done}: product ${id}`,
      ...periods.map(
        (one) =>
          `  ${one.pbp_id}  ${one.label}  ${one.currency} ${one.price}${one.is_archived ? "  archived" : ""}`,
      ),
    ].join("\n"),
  };
}
