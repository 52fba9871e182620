/** The limit is checked that often: a process that was frozen, or a suspended machine, does not use up the limit at once. */
const STEPS = 20;
/** A paused process reports every second. One that is silent for longer than this and the limit is busy. */
const SILENCE_MS = 5_000;

/** Calls `onExpired` once after `limitMs` of running time. Pauses while the task waits for the store. */
export class Stopwatch {
  private timer: NodeJS.Timeout | undefined;
  private steps = 0;
  private silentSteps: number | undefined;

  constructor(
    private readonly limitMs: number,
    private readonly onExpired: () => void,
  ) {}

  /** Also resumes. */
  start(): void {
    this.silentSteps = undefined;
    this.timer ??= setInterval(() => this.step(), this.limitMs / STEPS);
  }

  /** Must be repeated while the task waits. */
  pause(): void {
    this.silentSteps = 0;
  }

  stop(): void {
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private step(): void {
    if (this.silentSteps === undefined) this.steps += 1;
    else this.silentSteps += 1;
    const silentSteps = STEPS + Math.ceil((SILENCE_MS * STEPS) / this.limitMs);
    if (this.steps < STEPS && (this.silentSteps ?? 0) < silentSteps) return;
    this.stop();
    this.onExpired();
  }
}
