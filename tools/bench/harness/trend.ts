const FIRST_PART = 1 / 3;
const MOST_GROWTH = 0.05;
/** The 95 % quantile of the normal distribution, for a significance level of 5 %. */
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
 * The trend of equally spaced values after the first third, in which programs warm up. The slope
 * is the median of the slopes between every two values, and the height the median of the remainders
 * (Theil and Sen), so that single outliers do not change the line. The trend counts as a rise if it
 * is above 5 % and significant in Kendall's test at 5 %.
 * @param least a rise of at most this is flat, for values that are counted in whole numbers
 * @throws RangeError when a value is not a number, because a missing measurement is not a flat
 * trend
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
  // For values that rise ever faster, the line can begin below zero.
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

/** The median; for an even number of values, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = (sorted.length - 1) / 2;
  return (
    ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
  );
}
