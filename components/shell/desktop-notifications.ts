const KEY = "duebook desktop notes";

/** Whether this person turned on desktop notifications in this browser; stored only there. */
export function wantsDesktopNotifications(person: string): boolean {
  try {
    return localStorage.getItem(KEY) === person && Notification.permission === "granted";
  } catch {
    // Storage is blocked, or the browser has no notifications.
    return false;
  }
}

/** @returns false if the browser blocks notifications or does not support them on pages */
export async function setDesktopNotifications(person: string, isOn: boolean): Promise<boolean> {
  if (!isOn) {
    localStorage.removeItem(KEY);
    return true;
  }
  if (!("Notification" in window)) return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  // Phones grant the permission but throw for each notification.
  const sample = openNote("");
  if (!sample) return false;
  sample.close();
  localStorage.setItem(KEY, person);
  return true;
}

/** Shows a notification only while the tab is hidden. */
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
