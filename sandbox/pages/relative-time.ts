const STEPS = [
  { under: 60, divisor: 1, unit: 's' },
  { under: 3_600, divisor: 60, unit: 'm' },
  { under: 86_400, divisor: 3_600, unit: 'h' },
] as const;

/** How long ago, as timelines say it: `now`, `42s`, `5m`, `3h`, then the date. */
export function ago(at: string, now: Date): string {
  const seconds = Math.floor((now.getTime() - Date.parse(at)) / 1000);
  if (seconds < 5) return 'now';
  const step = STEPS.find(({ under }) => seconds < under);
  return step ? `${Math.floor(seconds / step.divisor)}${step.unit}` : at.slice(0, 10);
}
