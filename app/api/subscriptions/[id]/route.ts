import { sellerRoute } from "#lib/auth/seller-route.ts";
import { getSubscription } from "#lib/subscriptions/data.ts";

interface Context {
  params: Promise<{ id: string }>;
}

export const GET = sellerRoute("subscriptions:read", async (_request, { params }: Context) =>
  getSubscription((await params).id),
);
