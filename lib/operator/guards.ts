import "server-only";
import { notFound } from "next/navigation";
import * as z from "zod";
import { runParsed, type GuardedResult } from "#lib/auth/guards/action.ts";
import { requireSession } from "#lib/auth/guards/require-seller.ts";
import { personPage } from "#lib/auth/guards/seller-page.ts";
import type { Session } from "#lib/auth/sessions/session.ts";
import { OperatorClient } from "#lib/billing/operator-client.ts";
import { database } from "#lib/db/pool.ts";
import { operatorToken } from "#lib/env.ts";
import { AppError, failureResponse } from "#lib/failure.ts";
import { logSecurity } from "#lib/log.ts";

interface Operator extends Pick<Session, "user"> {
  operator: OperatorClient;
}

interface OperatorRights {
  is_operator: boolean;
  has_second_factor: boolean;
}

async function rightsOf({ user }: Session): Promise<OperatorRights> {
  const { rows } = await database().query<OperatorRights>(
    `select u.is_operator, exists (select from second_factor f
              where f.user_id = u.id and f.confirmed_at is not null) as has_second_factor
       from app_user u where u.id = $1`,
    [user.id],
  );
  return rows[0] ?? { is_operator: false, has_second_factor: false };
}

/**
 * The guard of the operator's pages: people named on the command line, with a second factor.
 * @throws AppError `signed_out`; `not_found` for everybody else; `second_factor` without one
 */
async function requireOperator(): Promise<Operator> {
  const session = await requireSession();
  const { is_operator, has_second_factor } = await rightsOf(session);
  if (!is_operator || operatorToken() === null) {
    logSecurity("access.refused", { reason: "no operator", account: session.user.id });
    throw new AppError({ kind: "not_found" });
  }
  if (!has_second_factor) throw new AppError({ kind: "second_factor" });
  return { user: session.user, operator: new OperatorClient() };
}

/** The guard of operators' pages: sign-in first; not found for others; null without a second factor. */
export async function operatorPage(): Promise<OperatorClient | null> {
  await personPage();
  return requireOperator().then(
    ({ operator }) => operator,
    (error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      if (error.kind === "second_factor") return null;
      if (error.kind === "not_found") notFound();
      throw error;
    },
  );
}

/** The guard of operators' routes: answers others with a status and a Failure. */
export function operatorRoute<Params>(
  read: (operator: OperatorClient, params: Params, request: Request) => Promise<Response>,
) {
  return async (request: Request, context: { params: Promise<Params> }): Promise<Response> => {
    try {
      const { operator } = await requireOperator();
      return await read(operator, await context.params, request);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return failureResponse(error.failure);
    }
  };
}

export function operatorAction<Input extends z.ZodType, Value>({
  input: schema,
  run,
}: {
  input: Input;
  run: (operator: Operator, input: z.output<Input>) => Promise<Value>;
}): (input: z.input<Input>) => Promise<GuardedResult<Value>> {
  return async (input) => {
    // Users who are not operators learn nothing about an action's input.
    const guarded = await runParsed(z.unknown(), input, async (given) => {
      const operator = await requireOperator();
      return runParsed(schema, given, (parsed) => run(operator, parsed));
    });
    return guarded.ok ? guarded.value : guarded;
  };
}
