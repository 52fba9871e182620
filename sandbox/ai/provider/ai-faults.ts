import sharp from 'sharp';
import type { AiFault } from './ai-fault.js';
import type { Ability } from './models.js';

/** The picture as a fault leaves it. */
export async function spoiled(picture: Buffer, fault: AiFault | undefined): Promise<Buffer> {
  switch (fault?.kind) {
    case 'half-image':
      return picture.subarray(0, picture.length >> 1);
    case 'wrong-image-type': {
      const { format } = await sharp(picture).metadata();
      return format === 'jpeg' ? sharp(picture).png().toBuffer() : sharp(picture).jpeg().toBuffer();
    }
    case 'not-an-image':
      return Buffer.from('<html><body>Bad gateway</body></html>', 'utf8');
    default:
      return picture;
  }
}

/** `no-image` also bills nothing. */
export const hasNoImage = (fault: AiFault | undefined): boolean =>
  fault?.kind === 'no-image' || fault?.kind === 'bill-without-image';

export interface FaultableAiCall {
  readonly provider: string;
  readonly model: string;
  /** Id and label. */
  readonly key: readonly string[];
  readonly ability: Ability;
}

export interface SwitchedAiFault {
  readonly id: number;
  readonly fault: AiFault;
  hits: number;
}

/** The faults of AI providers that are switched on. The first that matches applies to a call. */
export class AiFaults {
  private faults: SwitchedAiFault[] = [];
  private lastId = 0;

  add(fault: AiFault): SwitchedAiFault {
    const switched = { id: ++this.lastId, fault, hits: 0 };
    this.faults.push(switched);
    return switched;
  }

  list(): readonly SwitchedAiFault[] {
    return this.faults;
  }

  remove(id: number): boolean {
    const before = this.faults.length;
    this.faults = this.faults.filter((switched) => switched.id !== id);
    return this.faults.length < before;
  }

  clear(): void {
    this.faults = [];
  }

  next(call: FaultableAiCall): AiFault | undefined {
    const switched = this.faults.find(
      ({ fault, hits }) => (fault.times === undefined || hits < fault.times) && applies(fault, call),
    );
    if (!switched) return undefined;
    switched.hits += 1;
    return switched.fault;
  }
}

const applies = (fault: AiFault, { provider, model, key, ability }: FaultableAiCall): boolean =>
  (fault.provider === undefined || fault.provider === provider) &&
  (fault.model === undefined || fault.model === model) &&
  (fault.key === undefined || key.includes(fault.key)) &&
  (fault.ability === undefined || fault.ability === ability);
