import type { Config } from "tailwindcss";

const token = (name: string) => `var(--${name})`;
const withSoft = (name: string) => ({ DEFAULT: token(name), soft: token(`${name}-soft`) });

/** Every colour is a token of app/globals.css, which knows light and dark; no other colour exists. */
export default {
  theme: {
    colors: {
      transparent: "transparent",
      current: "currentColor",
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
      fontFamily: {
        sans: [
          "Inter Variable",
          "Inter Fallback",
          "Noto Sans Devanagari Variable",
          "system-ui",
          "sans-serif",
        ],
        mono: ["ui-monospace", "SFMono-Regular", "Menlo", "Consolas", "monospace"],
      },
      borderRadius: { sm: "4px", DEFAULT: "6px", md: "8px", lg: "12px" },
      boxShadow: { raised: "var(--shadow-raised)", card: "var(--shadow-card)" },
    },
  },
} satisfies Config;
