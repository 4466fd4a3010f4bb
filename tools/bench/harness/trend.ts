const FIRST_PART = 1 / 3;
const MOST_GROWTH = 0.05;
/** Quantile of the normal distribution for a significance level of 5 %. */
const CERTAIN = 1.645;

interface Trend {
  /** Values of the fitted line at its beginning and end. */
  from: number;
  to: number;
  /** (end - beginning) / beginning of the line; Infinity if it rises from zero. */
  growth: number;
  isFlat: boolean;
}

/**
 * How values that were taken at even distances change once the first third, the warming up, is over.
 * The line's slope is the median of the slopes between every two values and its height the median of
 * what is left (Theil and Sen), so that a minute in which the machine had other work does not tilt it.
 * It is not flat when it rises by more than 5 % and the order of the values is no chance (Kendall's
 * test, one chance in twenty).
 * @param least what is counted in whole numbers has to rise by so many, too
 * @throws RangeError when a value is no number: what was not measured is not flat
 */
export function trendOf(values: readonly number[], least = 0): Trend {
  if (!values.every(Number.isFinite)) throw new RangeError("a value was not measured");
  const rest = values.slice(Math.floor(values.length * FIRST_PART));
  const pairs = rest.flatMap((one, at) =>
    rest.slice(at + 1).map((other, distance) => (other - one) / (distance + 1)),
  );
  const slope = pairs.length > 0 ? median(pairs) : 0;
  const from = median(rest.map((value, at) => value - slope * at));
  const to = from + slope * (rest.length - 1);
  // For values that rise ever faster the line begins below zero.
  const growth = from > 0 ? to / from - 1 : to > from ? Infinity : 0;
  return {
    from,
    to,
    growth,
    isFlat: growth <= MOST_GROWTH || to - from <= least || rises(pairs, rest.length) < CERTAIN,
  };
}

/** Kendall's S in standard deviations. */
function rises(pairs: readonly number[], count: number): number {
  const s = pairs.reduce((sum, slope) => sum + Math.sign(slope), 0);
  return (s - 1) / Math.sqrt((count * (count - 1) * (2 * count + 5)) / 18);
}

/** For an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (
    ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  );
}
