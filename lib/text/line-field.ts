import "server-only";
import * as z from "zod";
import { message } from "#lib/i18n/message.ts";
import { hasHiddenCharacters } from "./fold-text.ts";

/**
 * A trimmed line of a form.
 * @param missing the message for an empty line; without a message the line may be empty
 */
export const lineField = (most: number, missing?: string) =>
  z
    .string()
    .trim()
    .min(missing === undefined ? 0 : 1, missing)
    .max(most, message("fields.name.tooLong", { count: most }))
    .refine((text) => !hasHiddenCharacters(text), message("fields.hidden"));
