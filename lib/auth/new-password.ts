import "server-only";
import { message } from "#lib/i18n/message.ts";
import { isCommonPassword } from "./common-passwords.ts";
import { fieldFailure } from "./field-failure.ts";
import { hashPassword } from "./password.ts";
import { passwordProblem } from "./rules.ts";

/** @throws BillingError with the reason on the field `password` when it will not do */
export async function hashNewPassword(password: string, email: string): Promise<string> {
  const common = message("fields.password.common");
  const problem =
    passwordProblem(password, email) ?? (isCommonPassword(password) ? common : null);
  if (problem !== null) throw fieldFailure("password", problem);
  return hashPassword(password);
}
