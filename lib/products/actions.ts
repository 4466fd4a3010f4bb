"use server";

import { createHash } from "node:crypto";
import * as z from "zod";
import { sellerAction } from "#lib/auth/guards/seller-action.ts";
import { writeProduct } from "./account.ts";
import { newProductOf, ProductInput } from "./draft-input.ts";

/** Adds a product; sending the same form again adds no second one. */
export const createProductAction = sellerAction({
  name: "product.create",
  permission: "products:write",
  input: z.object({ form: z.uuid(), product: ProductInput }),
  run: async ({ owner }, { form, product }, note): Promise<{ product_id: string }> => {
    note.detail = { product_name: product.name };
    const body = newProductOf(product);
    const key = createHash("sha256").update(form).update(JSON.stringify(body)).digest("hex");
    const { product_id } = await writeProduct(owner, (account) =>
      account.createProduct(body, key),
    );
    return { product_id };
  },
});
