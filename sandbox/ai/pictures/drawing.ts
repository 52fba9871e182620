import sharp, { type Sharp } from 'sharp';
import { html, type Markup } from '#libs/pages';
import { seededRandom } from '../../faults/random.js';
import { seedOf } from '../answers/tokens.js';

export type PictureFormat = 'png' | 'jpeg' | 'webp';

export interface PictureOrder {
  readonly prompt: string;
  /** Several pictures of one prompt differ. */
  readonly index: number;
  readonly width: number;
  readonly height: number;
  readonly format: PictureFormat;
}

const MAX_LINES = 9;

/** A picture drawn from the prompt: its words on a scene of shapes and colours that belong to them. */
export async function draw(order: PictureOrder): Promise<Buffer> {
  const svg = Buffer.from(scene(order).text, 'utf8');
  return encode(sharp(svg, { density: 72 }).resize(order.width, order.height, { fit: 'fill' }), order.format);
}

function encode(image: Sharp, format: PictureFormat): Promise<Buffer> {
  switch (format) {
    case 'png':
      return image.png({ compressionLevel: 6 }).toBuffer();
    case 'jpeg':
      return image.flatten({ background: '#fff' }).jpeg({ quality: 85 }).toBuffer();
    case 'webp':
      return image.webp({ quality: 85 }).toBuffer();
  }
}

function scene({ prompt, index, width, height }: PictureOrder): Markup {
  const next = seededRandom(seedOf(`${prompt} ${index}`));
  const hue = Math.floor(next() * 360);
  const shapes = Array.from({ length: 14 }, () => shape(next, hue, width, height));
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${width}"
    height="${height}"
    viewBox="0 0 ${width} ${height}"
  >
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="${next().toFixed(2)}" y2="1">
        <stop offset="0" stop-color="hsl(${hue}, 65%, 62%)" />
        <stop offset="1" stop-color="hsl(${(hue + 70) % 360}, 60%, 24%)" />
      </linearGradient>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#sky)" />
    ${shapes} ${caption(prompt, width, height)}
  </svg>`;
}

function shape(next: () => number, hue: number, width: number, height: number): Markup {
  const size = (0.04 + next() * 0.16) * Math.min(width, height);
  const [x, y] = [next() * width, next() * height];
  const colour = `hsl(${Math.floor(hue + next() * 120) % 360}, 70%, ${35 + Math.floor(next() * 40)}%)`;
  if (next() < 0.5) {
    return html`<circle
      cx="${x.toFixed(1)}"
      cy="${y.toFixed(1)}"
      r="${size.toFixed(1)}"
      fill="${colour}"
      fill-opacity="0.7"
    />`;
  }
  const corners = [0, 1, 2].map((corner) => {
    const angle = (corner / 3 + next() * 0.2) * 2 * Math.PI;
    return `${(x + size * Math.cos(angle)).toFixed(1)},${(y + size * Math.sin(angle)).toFixed(1)}`;
  });
  return html`<polygon points="${corners.join(' ')}" fill="${colour}" fill-opacity="0.7" />`;
}

/** White on a dark band, so that the words can be read on every scene. */
function caption(prompt: string, width: number, height: number): Markup {
  const size = Math.max(10, Math.round(Math.min(width, height) / 18));
  const lines = wrapped(prompt, Math.max(8, Math.floor(width / (size * 0.62)))).slice(0, MAX_LINES);
  const bandHeight = (lines.length + 0.8) * size * 1.25;
  const top = height - bandHeight;
  return html`<rect y="${top}" width="${width}" height="${bandHeight}" fill="#000" fill-opacity="0.55" />
    ${lines.map(
      (line, row) =>
        html`<text
          x="${size * 0.6}"
          y="${top + (row + 1.1) * size * 1.25}"
          fill="#fff"
          font-family="DejaVu Sans, system-ui, sans-serif"
          font-size="${size}"
        >
          ${line}
        </text>`,
    )}`;
}

/** Characters that XML 1.0 does not allow would make the drawing unreadable. */
const NOT_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

function wrapped(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.replaceAll(NOT_XML, '').trim().slice(0, 1_000).split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= columns || line === '') line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}
