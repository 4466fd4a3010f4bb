"use server";

import { createHash } from "node:crypto";
import * as z from "zod";
import type { AccountProduct } from "#contract/account.ts";
import { SHARED_LINK_CHANGES } from "#contract/names.ts";
import { sellerAction, type AuditNote } from "#lib/auth/guards/seller-action.ts";
import { AppError } from "#lib/failure.ts";
import { message } from "#lib/i18n/message.ts";
import { requireCatalogueAccount, writeProduct } from "./account.ts";
import { draftOf, type ProductDraft } from "./draft.ts";
import { newProductOf, productChangeOf, ProductInput } from "./draft-input.ts";

/**
 * Whether the product is on sale. If left out, a new product is on sale, and a saved one does not
 * change.
 */
const OnSale = z.boolean().optional();

/** Adds a product; sending the same form again adds no second one. */
export const createProductAction = sellerAction({
  name: "product.create",
  permission: "products:write",
  input: z.object({ form: z.uuid(), product: ProductInput, is_active: OnSale }),
  run: async ({ owner }, { form, product, ...sale }, note): Promise<{ product_id: string }> => {
    note.detail = { product_name: product.name };
    const body = { ...newProductOf(product), ...sale };
    const key = createHash("sha256").update(form).update(JSON.stringify(body)).digest("hex");
    const { product_id } = await writeProduct(owner, (account) =>
      account.createProduct(body, key),
    );
    return { product_id };
  },
});

const ProductId = z.string().min(1).max(100);

/**
 * Changes a product into the form's values. A conflict with status 409 says that somebody else changed
 * it since `version`; nothing is changed then.
 */
export const changeProductAction = sellerAction({
  name: "product.update",
  permission: "products:write",
  input: z.object({
    product_id: ProductId,
    version: z.string(),
    product: ProductInput,
    is_active: OnSale,
  }),
  run: async ({ owner }, { product_id, version, product, ...sale }, note) => {
    note.detail = { product_name: product.name };
    await writeProduct(owner, async (account) => {
      const saved = await account.readProduct(product_id);
      if (saved.version !== version) throw changedMeanwhile();
      note.detail = changeDetail(saved, product);
      return account.changeProduct(product_id, {
        ...productChangeOf(saved, product),
        ...sale,
      });
    });
    return null;
  },
});

const changedMeanwhile = () =>
  new AppError({
    kind: "conflict",
    detail: message("products.form.changed.title"),
    status: 409,
  });

/** Names and prices before and after, for the audit log. */
function changeDetail(
  saved: AccountProduct,
  product: ProductDraft,
): NonNullable<AuditNote["detail"]> {
  const prices = (draft: ProductDraft) =>
    draft.plans
      .flatMap(({ periods }) => periods)
      .filter(({ is_archived }) => !is_archived)
      .map(({ label, price, currency }) => `${label} ${currency} ${price}`)
      .join(", ")
      .slice(0, 500);
  return {
    product_name_before: saved.name,
    product_name: product.name,
    prices_before: prices(draftOf(saved)),
    prices: prices(product),
    images_before: saved.product_image.length,
    images: product.images.length,
  };
}

/** Takes a product off sale, or puts it on sale again. */
export const setOnSaleAction = sellerAction({
  name: "product.set-on-sale",
  permission: "products:write",
  input: z.object({ product_id: ProductId, is_active: z.boolean() }),
  run: async ({ owner }, { product_id, is_active }, note) => {
    note.detail = { is_active };
    await writeProduct(owner, async (account) => {
      const { name, version } = await account.readProduct(product_id);
      note.detail = { product_name: name, is_active };
      const change = { version, is_active };
      return account.changeProduct(product_id, change);
    });
    return null;
  },
});

/** Moves the subscribers of an archived billing period to its successor. */
export const moveSubscribersAction = sellerAction({
  name: "product.move-subscribers",
  permission: "products:write",
  input: z.object({ pbp_id: ProductId }),
  run: async ({ owner }, { pbp_id }, note) => {
    note.detail = { pbp_id };
    const account = await requireCatalogueAccount(owner);
    const { id, subscribers } = await account.startMove(pbp_id);
    note.detail = { pbp_id, subscribers };
    return { id, subscribers };
  },
});

/** Undoes a move for all whose billing date has not come yet. */
export const undoMoveAction = sellerAction({
  name: "product.undo-move",
  permission: "products:write",
  input: z.object({ id: z.int().positive() }),
  run: async ({ owner }, { id }, note) => {
    const account = await requireCatalogueAccount(owner);
    const { undone } = await account.undoMove(id);
    note.detail = { subscribers: undone };
    return { undone };
  },
});

/** Switches the shared link of a billing period on or off, or gives it another address. */
export const changeSharedLinkAction = sellerAction({
  name: "product.open-link",
  permission: "products:write",
  input: z.object({
    product_id: ProductId,
    pbp_id: ProductId,
    change: z.enum(SHARED_LINK_CHANGES),
  }),
  run: async ({ owner }, { product_id, pbp_id, change }, note) => {
    note.action = `product.${change}-link`;
    note.detail = { pbp_id };
    const account = await requireCatalogueAccount(owner);
    return account.changeSharedLink(product_id, { pbp_id, change });
  },
});
