import type { Config } from "tailwindcss";

const token = (name: string) => `var(--${name})`;
const withSoft = (name: string) => ({ DEFAULT: token(name), soft: token(`${name}-soft`) });

/** Every colour is a token of app/globals.css, which knows light and dark; no other colour exists. */
export default {
  theme: {
    colors: {
      transparent: "transparent",
      white: "#fff",
      canvas: token("canvas"),
      surface: token("surface"),
      sunken: token("sunken"),
      line: { DEFAULT: token("line"), strong: token("line-strong") },
      ink: token("ink"),
      muted: token("muted"),
      faint: token("faint"),
      accent: { ...withSoft("accent"), strong: token("accent-strong") },
      danger: withSoft("danger"),
      warning: withSoft("warning"),
      active: withSoft("active"),
      due: withSoft("due"),
      pending: withSoft("pending"),
      ending: withSoft("ending"),
      cancelled: withSoft("cancelled"),
      inactive: withSoft("inactive"),
    },
    fontSize: {
      xs: ["0.75rem", "1rem"],
      sm: ["0.8125rem", "1.25rem"],
      base: ["0.875rem", "1.25rem"],
      lg: ["1rem", "1.5rem"],
      xl: ["1.25rem", "1.75rem"],
      "2xl": ["1.5rem", "2rem"],
    },
    extend: {
      // Room for every column of the subscriptions list.
      screens: { wide: "85rem" },
      fontFamily: {
        sans: [
          'var(--font-latin, "Inter Fallback")',
          'var(--font-latin-extended, "Inter Fallback")',
          "Inter Fallback",
          // Fonts of phones and computers, so that they need not fetch 120 KB.
          "Noto Sans Devanagari",
          "Kohinoor Devanagari",
          "Nirmala UI",
          "var(--font-devanagari, system-ui)",
          "system-ui",
          "sans-serif",
        ],
        mono: ["ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace"],
      },
      borderRadius: { sm: "4px", DEFAULT: "6px", md: "8px", lg: "12px" },
      transitionDuration: {
        DEFAULT: "var(--motion-quick)",
        quick: "var(--motion-quick)",
        calm: "var(--motion-calm)",
      },
      transitionTimingFunction: { DEFAULT: "var(--ease-enter)", enter: "var(--ease-enter)" },
      boxShadow: { raised: "var(--shadow-raised)", card: "var(--shadow-card)" },
    },
  },
} satisfies Config;
