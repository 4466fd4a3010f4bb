/** WCAG 2.2, 1.4.3: text of normal size. */
export const MIN_CONTRAST = 4.5;

type Channels = [red: number, green: number, blue: number];

const channelsOf = (color: string): Channels => {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
};

const colorOf = (channels: Channels) =>
  `#${channels.map((one) => Math.round(one).toString(16).padStart(2, "0")).join("")}`;

/** The relative luminance of WCAG, from 0 for black to 1 for white. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((one) => {
    const share = one / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as Channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colors as #rrggbb, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

/** Black or white, whichever is easier to read on that color: always at least `MIN_CONTRAST`. */
export const textOn = (color: string): string =>
  contrastOf(color, "#ffffff") >= contrastOf(color, "#000000") ? "#ffffff" : "#000000";

const STEPS = 50;

/** The color, made darker or lighter just enough that text in it can be read on that background. */
export function readableOn(color: string, ground: string): string {
  const goal = channelsOf(textOn(ground));
  const start = channelsOf(color);
  for (let step = 0; step < STEPS; step += 1) {
    const mixed = colorOf(
      start.map((one, at) => one + (((goal[at] ?? 0) - one) * step) / STEPS) as Channels,
    );
    if (contrastOf(mixed, ground) >= MIN_CONTRAST) return mixed;
  }
  return colorOf(goal);
}
