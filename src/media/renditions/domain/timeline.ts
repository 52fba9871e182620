/** Seconds on the timeline of the movie. */
export interface VisibleSpan {
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
}

/** What every track shows unless an edit list says otherwise. */
export const WHOLE: VisibleSpan = { from: 0, until: Infinity };

export interface Starts {
  /** Presentation time of the first packet that is kept, in seconds. */
  readonly video: number;
  readonly audio: number | null;
  /** Duration of a silent packet of the codec of the sound, in seconds; null: none is known. */
  readonly silence: number | null;
}

export interface Shift {
  /** Added to the presentation times of the video, in seconds. The first picture is shown from 0 in any case. */
  readonly video: number;
  readonly audio: number;
  /** Silent packets before the first one of the sound. */
  readonly silentPackets: number;
}

/** A difference between sound and picture that people do not notice. */
export const NEGLIGIBLE_S = 0.01;
/** Sound this much before the picture is not noticed by viewers (ITU-R BT.1359-1, figure 2). */
const UNNOTICED_S = 0.045;
/** An hour of silence is 170 000 packets. */
const MAX_SILENCE_S = 600;

/**
 * Moves both tracks to 0 without an edit list, and keeps them in sync: when the sound starts first, the first picture is shown longer;
 * when the picture starts first, silent packets precede the sound.
 * @returns null when that is not possible without encoding
 */
export function shiftToZero({ video, audio, silence }: Starts): Shift | null {
  if (audio === null) return { video: -video, audio: 0, silentPackets: 0 };
  const lateBy = audio - video;
  if (Math.abs(lateBy) <= NEGLIGIBLE_S) return { video: -video, audio: -audio, silentPackets: 0 };
  if (lateBy < 0) return { video: -audio, audio: -audio, silentPackets: 0 };
  if (silence === null)
    return lateBy <= UNNOTICED_S ? { video: -video, audio: -audio, silentPackets: 0 } : null;
  if (lateBy > MAX_SILENCE_S) return null;
  const silentPackets = Math.ceil((lateBy - NEGLIGIBLE_S) / silence);
  const shift = silentPackets * silence - audio;
  const isAtZero = Math.abs(video + shift) <= NEGLIGIBLE_S;
  return { video: isAtZero ? -video : shift, audio: shift, silentPackets };
}
