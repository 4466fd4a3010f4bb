import type { MenuEntry } from "#components/ui/overlays/menu.tsx";

/** Runs an entry and closes the menu afterwards, also after a failure. */
export async function selectEntry(
  { onSelect, isPending = false, isDisabled = false }: MenuEntry,
  { onClose, onFailure }: { onClose: () => void; onFailure: (error: unknown) => void },
): Promise<void> {
  if (isPending || isDisabled) return;
  try {
    await onSelect?.();
  } catch (error) {
    onFailure(error);
  } finally {
    onClose();
  }
}
