import { detailError } from "../http/errors.ts";

/** The refusal of a change that was made from an older version than the stored one. */
export const changedMeanwhileError = (what: string) =>
  detailError(
    409,
    `${what} was changed in the meantime. Read it again; nothing was overwritten.`,
  );
