import { zodResolver } from "@hookform/resolvers/zod";
import { AskedSubscription } from "#contract/subscriptions.ts";

export const checkCreateSubscription = zodResolver(AskedSubscription);
