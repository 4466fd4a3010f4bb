const KEY = "duebook desktop notes";

/** Whether this person wants notes of this browser; nothing of it leaves the computer. */
export function wantsDesktopNotifications(person: string): boolean {
  try {
    return localStorage.getItem(KEY) === person && Notification.permission === "granted";
  } catch {
    // Blocked storage, or a browser that has no notes.
    return false;
  }
}

/** @returns false where the browser does not allow them, or shows none for a page */
export async function setDesktopNotifications(person: string, isOn: boolean): Promise<boolean> {
  if (!isOn) {
    localStorage.removeItem(KEY);
    return true;
  }
  if (!("Notification" in window)) return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  // Phones allow them, and throw at each one.
  const sample = openNote("");
  if (!sample) return false;
  sample.close();
  localStorage.setItem(KEY, person);
  return true;
}

/** Only while nobody looks at the tab. */
export function showDesktopNotification(person: string, words: string): void {
  if (document.visibilityState === "visible" || !wantsDesktopNotifications(person)) return;
  openNote(words)?.addEventListener("click", () => window.focus());
}

function openNote(words: string): Notification | null {
  try {
    return new Notification("Duebook", { body: words, tag: "duebook" });
  } catch {
    return null;
  }
}
