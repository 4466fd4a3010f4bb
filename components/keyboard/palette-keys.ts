/** The keys that open the palette, as this platform names them; call in the browser only. Ctrl and Cmd both work everywhere. */
export const paletteKeys = (): string[] => [
  /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : "Ctrl",
  "K",
];
