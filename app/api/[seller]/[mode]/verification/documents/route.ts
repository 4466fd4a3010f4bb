import { sellerRoute } from "#lib/auth/guards/seller-route.ts";
import { uploadDocument } from "#lib/verification/upload.ts";

export const POST = sellerRoute("connection:write", uploadDocument);
