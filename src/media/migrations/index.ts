import type { MigrationClass } from '#libs/database';
import { MediaFile1790000000450 } from './1790000000450-media-file.js';
import { MediaBytes1790000000451 } from './1790000000451-media-bytes.js';
import { MediaSearch1790000000452 } from './1790000000452-media-search.js';
import { WordsApart1790000000453 } from './1790000000453-words-apart.js';
import { Renditions1790000000460 } from './1790000000460-renditions.js';
import { MediaInTurn1790000000486 } from './1790000000486-media-in-turn.js';
import { Inspections1790000000470 } from './1790000000470-inspections.js';
import { InspectionErrors1790000000471 } from './1790000000471-inspection-errors.js';
import { OnePoster1790000000480 } from './1790000000480-one-poster.js';
import { RenditionFailures1790000000481 } from './1790000000481-rendition-failures.js';
import { AiMark1790000000482 } from './1790000000482-ai-mark.js';
import { GeneratedFiles1790000000485 } from './1790000000485-generated-files.js';
import { MediaLanes1790000001200 } from './1790000001200-media-lanes.js';
import { LostOriginals1790000002300 } from './1790000002300-lost-originals.js';
import { WaitingBytesInTurn1790000002301 } from './1790000002301-waiting-bytes-in-turn.js';
import { RequestedModel1790000002700 } from './1790000002700-requested-model.js';

/** In the order of application; append only. */
export const mediaMigrations: readonly MigrationClass[] = [
  MediaFile1790000000450,
  MediaBytes1790000000451,
  MediaSearch1790000000452,
  WordsApart1790000000453,
  Renditions1790000000460,
  Inspections1790000000470,
  InspectionErrors1790000000471,
  OnePoster1790000000480,
  RenditionFailures1790000000481,
  AiMark1790000000482,
  GeneratedFiles1790000000485,
  MediaInTurn1790000000486,
  MediaLanes1790000001200,
  LostOriginals1790000002300,
  WaitingBytesInTurn1790000002301,
  RequestedModel1790000002700,
];
