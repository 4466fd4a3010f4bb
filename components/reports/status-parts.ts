/** What recurring revenue is made up of, in the order of the lists. */
export const statusParts = ["active", "due", "ending"] as const;
