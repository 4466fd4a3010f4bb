import { readOperatorDocument } from "#lib/operator/document.ts";
import { operatorRoute } from "#lib/operator/guards.ts";

export const GET = operatorRoute(readOperatorDocument);
