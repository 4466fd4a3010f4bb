import type { FastifyInstance } from "fastify";
import { AccountProduct, AccountProductPage, ProductFilter } from "#contract/account.ts";
import type { ServiceContext } from "../context.ts";
import { violatesConstraint, type Database } from "../db/database.ts";
import { sellerOf } from "../http/authenticate.ts";
import { detailError, notFoundError, validationError } from "../http/errors.ts";
import { isUuid } from "../http/ids.ts";
import { pagedList } from "../http/pagination.ts";
import { withRouteDoc } from "../http/route-doc.ts";
import { writeRoute } from "../http/write.ts";
import { requireOwnImages } from "../media/upload.ts";
import { insertCatalogue } from "../products/catalogue.ts";
import { editProductVersion, UnknownProductError } from "../products/edit.ts";
import { ChangeProduct, CreateProduct } from "../products/input.ts";
import { CatalogueError } from "../products/price.ts";
import {
  countAllProducts,
  findAccountProduct,
  selectAccountProducts,
  selectImageUrls,
} from "../products/store.ts";
import { changedMeanwhileError } from "./version.ts";

/** The catalogue's times are real ones, not of the seller's clock. */
export function accountProductRoutes(api: FastifyInstance, context: ServiceContext) {
  const { pool, publicUrl, now } = context;

  api.get(
    "/products/",
    withRouteDoc({
      summary: "List the catalogue",
      description:
        "All products, also those off sale, with archived billing periods, newest first.",
      isPaged: true,
      query: {
        schemas: ProductFilter.shape,
        meanings: { is_active: "Only products on sale, or only those off sale" },
      },
      answer: AccountProductPage,
      refusals: { 400: { text: "The filter is not valid", schema: "FieldErrors" } },
    }),
    pagedList(publicUrl, async (sellerId, paging, query) => {
      const filter = ProductFilter.safeParse(query);
      if (!filter.success) throw validationError(filter.error);
      const isActive = filter.data.is_active ? filter.data.is_active === "true" : null;
      const count = await countAllProducts(pool, sellerId, isActive);
      const rows = await selectAccountProducts(pool, sellerId, isActive, paging);
      return { count, results: rows.map(present) };
    }),
  );

  api.get<{ Params: { id: string } }>(
    "/products/:id/",
    withRouteDoc({ summary: "Get a product of the catalogue", answer: AccountProduct }),
    (request) => readProduct(pool, sellerOf(request).seller_id, request.params.id),
  );

  api.post(
    "/products/",
    writeRoute(context, {
      summary: "Add a product",
      description:
        "Adds a product with its plans, billing periods, offers and VAT. It is on sale at once.",
      status: 201,
      success: "Added",
      answer: AccountProduct,
      schema: CreateProduct,
      work: async ({ database, seller: { seller_id } }, input) => {
        const naming = { seller_id, publicUrl, at: now(), kept: [] };
        await requireOwnImages(database, "images", input.images, naming);
        const [id = ""] = await refuseInWords(
          insertCatalogue(database, seller_id, [input], now()),
        );
        return readProduct(database, seller_id, id);
      },
    }),
  );

  api.patch(
    "/products/:id/",
    writeRoute(context, {
      summary: "Change a product",
      description:
        "Also changes its plans, billing periods, offers and their order. `is_archived` takes a billing period off sale, `is_active` a product. A sold price stays as it is: another price, currency, VAT or offer archives the billing period and replaces it with a new one.",
      answer: AccountProduct,
      refusals: {
        409: "The product was changed in the meantime; this request changed nothing",
      },
      schema: ChangeProduct,
      work: async ({ database, seller: { seller_id } }, change, { params: { id } }) => {
        if (!isUuid(id)) throw notFoundError();
        const place = { sellerId: seller_id, productId: id };
        const kept = await selectImageUrls(database, place);
        const isChanged = await refuseInWords(
          editProductVersion(database, place, change, now()),
        );
        if (!isChanged) throw changedMeanwhileError("The product");
        const naming = { seller_id, publicUrl, at: now(), kept };
        await requireOwnImages(database, "images", change.images ?? [], naming);
        return readProduct(database, seller_id, id);
      },
    }),
  );
}

const present = <Row extends { created_at: Date; updated_at: Date }>(row: Row) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** @throws 404 for an unknown or malformed id, and for another seller's */
async function readProduct(
  database: Database,
  sellerId: number,
  id: string,
): Promise<AccountProduct> {
  const row = isUuid(id) ? await findAccountProduct(database, sellerId, id) : null;
  if (!row) throw notFoundError();
  return present(row);
}

/** Turns an error of the catalogue into an answer that says why it refuses. */
export async function refuseInWords<Done>(work: Promise<Done>): Promise<Done> {
  return work.catch((error: unknown) => {
    if (error instanceof UnknownProductError) throw notFoundError();
    if (error instanceof CatalogueError) throw detailError(400, sentenceOf(error.message));
    if (violatesConstraint(error, "billing_period_pkey"))
      throw detailError(400, "A pbp_id is taken already. Leave it out to get a new one.");
    throw error;
  });
}

const sentenceOf = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
