import { hasHiddenCharacters, tagKey } from "#lib/text/fold-text.ts";

export const MAX_TAG_LENGTH = 40;
export const MAX_CUSTOMER_TAGS = 20;
/** The most tags of a seller, so that a list of all stays short. */
export const MAX_TAGS = 500;
/** The most subscriptions whose buyers get a tag at once; as many can be selected. */
export const MAX_TAGGED = 500;

export interface Tag {
  id: string;
  name: string;
}

export interface CountedTag extends Tag {
  customers: number;
}

/** A tag's name as it is stored; null if it cannot be one. A comma separates tags in files. */
export function readTagName(text: string): string | null {
  const name = text.normalize("NFC").trim().replace(/\s+/g, " ");
  const isWhole = name !== "" && Array.from(name).length <= MAX_TAG_LENGTH;
  return isWhole && tagKey(name) !== "" && !/[",]/.test(name) && !hasHiddenCharacters(name)
    ? name
    : null;
}

/** Tags as one cell of a file. */
export const joinTags = (tags: readonly string[]): string => tags.join(", ");
