/**
 * As long as the share, 0 to 100, of its place. Drawn, because a style attribute may not stand in a page
 * that the server wrote; whoever does not see it reads the number beside it.
 */
export function ShareBar({ percent }: { percent: number }) {
  return (
    <svg
      aria-hidden
      width="100%"
      height="4"
      className="block rounded-full bg-sunken forced-colors:border"
    >
      <rect
        width={`${percent}%`}
        height="4"
        rx="2"
        className="fill-accent forced-colors:fill-[CanvasText]"
      />
    </svg>
  );
}
