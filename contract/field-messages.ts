/**
 * The messages of the schemas, as sent by the API. They are separate from the schemas so that
 * the code that translates them need not load zod.
 */
export const FIELD_MESSAGES = {
  required: "This field is required.",
  blank: "This field may not be blank.",
  hidden: "Remove the characters that cannot be displayed.",
  phone: "Enter a phone number of 7 to 15 digits.",
  email: "Enter a valid email address.",
  url: "Enter a full address that begins with http:// or https://.",
  panVat: "Enter exactly 9 digits.",
} as const;

/** Why an uploaded image is not accepted. */
export const IMAGE_PROBLEMS = {
  kind: "Upload a PNG, JPEG or WebP image.",
  damaged: "This image cannot be read. Save it again and upload that.",
  pixels: "This image is too large. Upload one of at most 50 megapixels.",
  bytes: "Upload at most 5 MB.",
} as const;

export type ImageProblem = keyof typeof IMAGE_PROBLEMS;

export type FieldProblem = keyof typeof FIELD_MESSAGES;

export const tooLongMessage = (limit: number) => `Use at most ${limit} characters.`;

/** The limit passed to `tooLongMessage`; null for any other message. */
export const limitOfTooLongMessage = (text: string): string | null =>
  /^Use at most (\d+) characters\.$/.exec(text)?.[1] ?? null;

/**
 * Whether a text has no NUL, which PostgreSQL cannot store, and no other control characters, which
 * could only hide something.
 */
export const isPlainText = (text: string) =>
  text.isWellFormed() && !/[\p{Cc}]/u.test(text.replace(/[\n\t\r]/g, ""));

/** An absolute http or https URL without credentials. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}
