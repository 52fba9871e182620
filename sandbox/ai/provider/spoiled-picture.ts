import sharp from 'sharp';
import type { AiFault } from './ai-fault.js';

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
