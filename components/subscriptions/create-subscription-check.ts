import { zodResolver } from "@hookform/resolvers/zod";
import { CreateSubscription } from "#contract/subscriptions.ts";

export const checkCreateSubscription = zodResolver(CreateSubscription);
