import { zodResolver } from "@hookform/resolvers/zod";
import { LenientCreateSubscription } from "#contract/subscriptions.ts";

export const checkCreateSubscription = zodResolver(LenientCreateSubscription);
