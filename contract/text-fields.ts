import * as z from "zod";
import { FIELD_MESSAGES, isPlainText, tooLongMessage } from "./field-messages.ts";

/** The message of a missing value, or else of one of a wrong type. */
export const required = (wrong: string) => ({
  error: ({ input }: { input?: unknown }) =>
    input === undefined ? FIELD_MESSAGES.required : wrong,
});

/** A text that may be empty. */
export const anyText = (limit: number) =>
  z
    .string(required("Send text."))
    .trim()
    .max(limit, tooLongMessage(limit))
    .refine(isPlainText, FIELD_MESSAGES.hidden);

const filled = (limit: number) =>
  z
    .string(required("Send text."))
    .trim()
    .min(1, { error: FIELD_MESSAGES.blank, abort: true })
    .max(limit, tooLongMessage(limit));

/** A text that is not blank. */
export const filledText = (limit: number) =>
  filled(limit).refine(isPlainText, FIELD_MESSAGES.hidden);

/** One line of text that is not blank. */
export const textLine = (limit: number) =>
  filled(limit).refine(
    (text) => isPlainText(text) && !/\s/.test(text.replaceAll(" ", "")),
    FIELD_MESSAGES.hidden,
  );

/** Lines of text that are not blank. */
export const textBlock = (limit: number) =>
  z
    .string(required("Send text."))
    .transform((text) => text.replace(/\r\n?/g, "\n"))
    .pipe(filledText(limit));
