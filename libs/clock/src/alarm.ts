/** A sleep that another caller can end. A ring between two sleeps ends the next one at once, so no wake-up is lost. */
export class Alarm {
  private rang = false;
  private wake: (() => void) | undefined;

  /** @returns true after a ring, false after the full time */
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
