/** What the schemas say of a field, as the wire has it; apart from them, so that whoever translates it needs no zod. */
export const FIELD_MESSAGES = {
  required: "This field is required.",
  blank: "This field may not be blank.",
  hidden: "Remove the characters that cannot be displayed.",
  phone: "Enter a phone number of 7 to 15 digits.",
  email: "Enter a valid email address.",
  url: "Enter a full address that begins with http:// or https://.",
  panVat: "Enter exactly 9 digits.",
} as const;

export type FieldProblem = keyof typeof FIELD_MESSAGES;

export const tooLong = (limit: number) => `Use at most ${limit} characters.`;

/** The limit that `tooLong` was told; null for any other text. */
export const limitOf = (text: string): string | null =>
  /^Use at most (\d+) characters\.$/.exec(text)?.[1] ?? null;
