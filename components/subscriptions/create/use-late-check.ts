import { useEffect } from "react";
import type { Resolver } from "react-hook-form";
import type { CreateSubscription } from "#contract/subscriptions.ts";
import type { CreateSubscriptionValues } from "./create-subscription-values.ts";

type Check = Resolver<CreateSubscriptionValues, unknown, CreateSubscription>;

const load = () => import("./create-subscription-check.ts");

/** The form's check, which with its schema is a fifth of the page's script: it comes after the page. */
export function useLateCheck(): Check {
  useEffect(() => {
    load().catch(() => undefined);
  }, []);
  return check;
}

const check: Check = async (values, context, options) => {
  const loaded = await load().catch(() => null);
  if (loaded) return loaded.checkCreateSubscription(values, context, options);
  // Without it the action, which checks everything again, says what is wrong.
  return { values: values as CreateSubscription, errors: {} };
};
