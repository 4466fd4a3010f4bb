const KEY = "duebook desktop notes";

/** Whether this person wants notes of this browser; nothing of it leaves the computer. */
export function wantsNotes(person: string): boolean {
  try {
    return localStorage.getItem(KEY) === person && Notification.permission === "granted";
  } catch {
    // Blocked storage, or a browser that has no notes.
    return false;
  }
}

/** @returns false where the browser does not allow them */
export async function switchNotes(person: string, isOn: boolean): Promise<boolean> {
  if (!isOn) {
    localStorage.removeItem(KEY);
    return true;
  }
  if (!("Notification" in window)) return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  localStorage.setItem(KEY, person);
  return true;
}

/** Only while nobody looks at the tab. */
export function showNote(person: string, words: string): void {
  if (document.visibilityState === "visible" || !wantsNotes(person)) return;
  const note = new Notification("Duebook", { body: words, tag: "duebook" });
  note.addEventListener("click", () => window.focus());
}
