import "server-only";
import { personPage } from "#lib/auth/guards/seller-page.ts";
import { requireSession } from "#lib/auth/guards/require-seller.ts";
import type { Session } from "#lib/auth/sessions/session.ts";
import { OperatorClient } from "#lib/billing/operator-client.ts";
import { database } from "#lib/db/pool.ts";
import { operatorToken } from "#lib/env.ts";
import { AppError } from "#lib/failure.ts";
import { logSecurity } from "#lib/log.ts";
import { notFound } from "next/navigation";

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
 * The guard of what operators do: named on the command line, with a second factor.
 * @throws AppError `not_found` for everybody else, `second_factor` without one
 */
export async function requireOperator(): Promise<{
  session: Session;
  operator: OperatorClient;
}> {
  const session = await requireSession();
  const { is_operator, has_second_factor } = await rightsOf(session);
  if (!is_operator || operatorToken() === null) {
    logSecurity("access.refused", { reason: "no operator", account: session.user.id });
    throw new AppError({ kind: "not_found" });
  }
  if (!has_second_factor) throw new AppError({ kind: "second_factor" });
  return { session, operator: new OperatorClient() };
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
