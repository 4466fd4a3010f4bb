/** Parts of recurring revenue, in display order. */
export const statusParts = ["active", "due", "ending"] as const;
