import { CallIsRefused } from '../../wire/response.js';
import type { PostContent, ShownFile } from './linkedin-records.js';
import { invalidField } from './problems.js';

/** A body that LinkedIn refuses, with its code. */
class BodyIsInvalid extends CallIsRefused {
  constructor(...of: Parameters<typeof invalidField>) {
    super(invalidField(...of));
  }
}

export interface PostBody {
  readonly author: string;
  readonly commentary: string;
  readonly visibility: string;
  readonly content: PostContent;
}

type Json = Readonly<Record<string, unknown>>;

const MEMBERS = new Set([
  'author',
  'commentary',
  'visibility',
  'distribution',
  'lifecycleState',
  'isReshareDisabledByAuthor',
  'content',
]);
const MAX_COMMENTARY = 3_000;
const MAX_ALT_TEXT = 4_086;

/** The body of POST /rest/posts. @throws BodyIsInvalid */
export function parsePost(value: unknown): PostBody {
  const body = recordOf(value, '');
  const unknown = Object.keys(body).find((name) => !MEMBERS.has(name));
  if (unknown !== undefined)
    throw new BodyIsInvalid(`/${unknown}`, 'UNEXPECTED_FIELD', 'unrecognized field found but not allowed');
  const commentary = textOf(body, 'commentary', '', MAX_COMMENTARY);
  oneOf(body, 'lifecycleState', ['PUBLISHED']);
  const distribution = recordOf(body.distribution, '/distribution');
  oneOf(distribution, 'feedDistribution', ['MAIN_FEED', 'NONE']);
  return {
    author: textOf(body, 'author'),
    commentary,
    visibility: oneOf(body, 'visibility', ['PUBLIC', 'CONNECTIONS', 'LOGGED_IN']),
    content: body.content === undefined ? {} : contentOf(recordOf(body.content, '/content')),
  };
}

function contentOf({ article, media, multiImage, ...others }: Json): PostContent {
  const given = [article, media, multiImage].filter((each) => each !== undefined).length;
  if (given !== 1 || Object.keys(others).length > 0)
    throw new BodyIsInvalid('/content', 'UNION_INVALID', 'must have exactly one of its members');
  if (article !== undefined) {
    const card = recordOf(article, '/content/article');
    const source = textOf(card, 'source', '/content/article');
    if (!URL.canParse(source))
      throw new BodyIsInvalid('/content/article/source', 'INVALID_URL', 'is no valid URL');
    return { article: { source, title: textOf(card, 'title', '/content/article') } };
  }
  if (media !== undefined) return { media: fileOf(media, '/content/media') };
  const { images } = recordOf(multiImage, '/content/multiImage');
  if (!Array.isArray(images) || images.length < 2 || images.length > 20)
    throw new BodyIsInvalid('/content/multiImage/images', 'FIELD_ARRAY_SIZE_INVALID', 'has 2 to 20 images');
  return { multiImage: { images: images.map((image) => fileOf(image, '/content/multiImage/images')) } };
}

function fileOf(value: unknown, path: string): ShownFile {
  const file = recordOf(value, path);
  const optional = (name: string, max: number) =>
    file[name] === undefined ? undefined : textOf(file, name, path, max);
  const [title, altText] = [optional('title', Infinity), optional('altText', MAX_ALT_TEXT)];
  return {
    id: textOf(file, 'id', path),
    ...(title !== undefined && { title }),
    ...(altText !== undefined && { altText }),
  };
}

function recordOf(value: unknown, path: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new BodyIsInvalid(path, 'MISSING_REQUIRED_FIELD_ERROR', 'field is required but not found');
}

function textOf(from: Json, name: string, path = '', max = Infinity): string {
  const value = from[name];
  if (typeof value !== 'string')
    throw new BodyIsInvalid(
      `${path}/${name}`,
      'MISSING_REQUIRED_FIELD_ERROR',
      'field is required but not found',
    );
  if (value.length > max)
    throw new BodyIsInvalid(`${path}/${name}`, 'FIELD_LENGTH_TOO_LONG', `exceeds maxLength ${max}`);
  return value;
}

function oneOf(from: Json, name: string, values: readonly string[]): string {
  const value = textOf(from, name);
  if (values.includes(value)) return value;
  throw new BodyIsInvalid(`/${name}`, 'FIELD_VALUE_INVALID', `"${value}" is not an enum symbol`);
}
