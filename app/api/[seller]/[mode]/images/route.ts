import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { uploadImage } from "#lib/files/upload-image.ts";

export const POST = sellerRoute("products:write", uploadImage);
