/** Preloaded into a process: its clock is off by CLOCK_SHIFT_MS, as a replica's may be. Monotonic time is as it is. */
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = class Date extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + shift);
    else super(...given);
  }

  static now() {
    return RealDate.now() + shift;
  }
};
