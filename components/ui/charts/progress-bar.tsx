interface ProgressBarProps {
  label: string;
  /** Screen-reader text. */
  text: string;
  done: number;
  total: number;
}

/** An SVG, because the content policy forbids style attributes in the server's HTML. */
export function ProgressBar({ label, text, done, total }: ProgressBarProps) {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(done, total)}
      aria-valuetext={text}
      className="overflow-hidden rounded-full bg-sunken forced-colors:border"
    >
      <svg aria-hidden width="100%" height="6" className="block">
        <rect
          width={`${share * 100}%`}
          height="6"
          rx="3"
          className="fill-accent transition-[width] duration-200 motion-reduce:transition-none forced-colors:fill-[CanvasText]"
        />
      </svg>
    </div>
  );
}

/** The percentage to announce, rounded down to tens, so that screen readers say it only ten times. */
export const spokenShare = (done: number, total: number): number =>
  10 * (total === 0 ? 10 : Math.floor((done / total) * 10));

/** A bar of 0 to 100 percent; decorative, so the number must be beside it. */
export function ShareBar({ percent }: { percent: number }) {
  return (
    <svg aria-hidden width="100%" height="4" className="share-bar">
      <rect width={`${percent}%`} height="4" rx="2" />
    </svg>
  );
}
