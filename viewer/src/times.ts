/** The sample whose time is nearest; times go up. */
export function nearestIndex(times: ArrayLike<number>, time: number): number {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time) low = middle;
    else high = middle;
  }
  return Math.abs(times[high] - time) < Math.abs(times[low] - time) ? high : low;
}
