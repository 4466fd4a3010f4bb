import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.ts";
import { deliveryRoutes } from "../deliveries/routes.ts";
import { clockRoutes } from "./clock/routes.ts";
import { paymentRoutes } from "./payments.ts";
import { scenarioRoutes } from "./scenarios/routes.ts";
import { stateRoutes } from "./states/routes.ts";

/** The routes under `/sandbox/`, in test mode only. */
export function sandboxRoutes(api: FastifyInstance, context: ServiceContext) {
  clockRoutes(api, context);
  paymentRoutes(api, context);
  scenarioRoutes(api, context);
  stateRoutes(api, context);
  // Older addresses of routes that the account API has in both modes.
  deliveryRoutes(api, context);
}
