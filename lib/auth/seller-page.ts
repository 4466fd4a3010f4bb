import "server-only";
import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { failureOf } from "#lib/billing/errors.ts";
import { PATH_HEADER, safeCallbackPath } from "./callback-path.ts";
import type { Permission } from "./permissions.ts";
import { requireSeller, type SignedIn } from "./require-seller.ts";

/** The page's door: sends the signed-out to the sign-in page and brings them back afterwards. */
export async function sellerPage(permission: Permission): Promise<SignedIn> {
  try {
    return await requireSeller(permission);
  } catch (error) {
    const { kind } = failureOf(error);
    if (kind === "forbidden") notFound();
    if (kind !== "signed_out") throw error;
  }
  const path = safeCallbackPath((await headers()).get(PATH_HEADER));
  redirect(`/sign-in?${new URLSearchParams({ callbackUrl: path })}`);
}
