/** In the browser alone: what opens the palette there. Both Ctrl and Cmd do, everywhere. */
export const paletteKeys = (): string[] => [
  /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl",
  "K",
];
