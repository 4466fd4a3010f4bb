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
 * Whether a text is well-formed and has no control characters but tabs and line breaks: PostgreSQL
 * cannot store NUL, and the others could only hide something.
 */
export const isPlainText = (text: string) =>
  text.isWellFormed() && !/[\p{Cc}]/u.test(text.replace(/[\n\t\r]/g, ""));

/** An absolute http or https URL without credentials. */
export function isWebAddress(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password;
}

/** Why a reminder that waited is not sent any more. */
export const REMINDER_WITHDRAWALS = {
  off: "The schedule or its step was switched off.",
  gone: "The subscription is gone.",
  suspended: "The account may not take payments.",
  settled: "It was paid, rescheduled or cancelled in the meantime.",
  held: "Its reminders are held.",
  opted_out: "The buyer wants no reminders.",
  superseded: "A later reminder took its place.",
  late: "The day on which it was to be sent has passed.",
  limit: "The buyer got as many reminders as the schedule allows in a week.",
} as const;

/** Why a message that is due waits. */
export const MESSAGE_WAITS = {
  hour_limit: "It waits: the hourly limit of messages is reached.",
} as const;

/** Why a reminder cannot be sent now. */
export const REMINDER_REFUSALS = {
  switched_off: "The schedule of reminders is off.",
  unfit: "This step does not fit the subscription as it is now.",
  quiet: "No reminders are sent at this time; see the quiet hours and weekdays.",
  unreachable: "No channel reaches this buyer.",
  sent: "This step was sent to this buyer already.",
} as const;
