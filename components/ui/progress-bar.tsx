interface ProgressBarProps {
  label: string;
  /** How far it is, as it is read out. */
  text: string;
  done: number;
  total: number;
}

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
      className="h-1.5 overflow-hidden rounded-full bg-sunken"
    >
      <span
        className="block h-full rounded-full bg-accent transition-[width] duration-200 motion-reduce:transition-none"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
