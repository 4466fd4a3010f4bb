/** One text for every refusal: it must not tell whether the email is known. */
export function signInMessage(error: string): string {
  return error === "Unavailable"
    ? "Signing in is not possible right now. Try again in a minute."
    : "That email and password do not fit together. Check both and try again.";
}
