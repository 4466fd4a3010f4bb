import type { MenuEntry } from "#components/ui/overlays/menu.tsx";

/** Does what an entry does; the menu closes after that, whatever came of it. */
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
