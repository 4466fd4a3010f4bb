import type { FastifyInstance } from "fastify";
import type { ServiceContext } from "../context.ts";
import { clockRoutes } from "./clock/routes.ts";
import { deliveryRoutes } from "./delivery-routes.ts";
import { paymentRoutes } from "./payment-routes.ts";
import { scenarioRoutes } from "./scenarios/routes.ts";
import { stateRoutes } from "./states/routes.ts";

export function sandboxRoutes(api: FastifyInstance, context: ServiceContext) {
  clockRoutes(api, context);
  deliveryRoutes(api, context);
  paymentRoutes(api, context);
  scenarioRoutes(api, context);
  stateRoutes(api, context);
}
