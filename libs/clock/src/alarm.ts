/** A sleep that can be cut short. Ringing while nobody sleeps makes the next sleep return at once, so no wake-up is lost. */
export class Alarm {
  private rang = false;
  private wake: (() => void) | undefined;

  /** @returns true when it was rung, false when the time was up. */
  async sleep(milliseconds: number): Promise<boolean> {
    if (!this.rang && milliseconds > 0) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.wake = undefined;
    }
    const rang = this.rang;
    this.rang = false;
    return rang;
  }

  ring(): void {
    this.rang = true;
    this.wake?.();
  }
}
