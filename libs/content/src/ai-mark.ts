/**
 * What a file says about itself: `generated` by a model, `composite` with something that a model generated, or nothing. The terms are
 * `trainedAlgorithmicMedia` and `compositeWithTrainedAlgorithmicMedia` of https://cv.iptc.org/newscodes/digitalsourcetype/.
 */
export const AI_MARKS = ['none', 'generated', 'composite'] as const;
export type AiMark = (typeof AI_MARKS)[number];

/** @param mark null: not known */
export const isMarked = (mark: AiMark | null): mark is Exclude<AiMark, 'none'> =>
  mark !== null && mark !== 'none';
