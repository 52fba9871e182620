import { readdirSync, readFileSync } from 'node:fs';
import { sep } from 'node:path';

/** Hosts and paths of Google's video API. Scopes of OAuth (`/auth/`) are names, not calls. */
const VIDEO_API = [/\b(?:www|youtube|upload)\.googleapis\.com(?!\/auth\/)/, /youtube\/v\d/];
/** The gateway calls it, and the sandbox stands in for it. */
const MAY_NAME_IT = ['src/platform/gateway', 'sandbox'];

/** Sources of facts are named in comments. */
const withoutComments = (code: string): string =>
  code
    .split('\n')
    .filter((line) => !/^\s*(?:\/\*|\*|\/\/)/.test(line))
    .map((line) => line.replace(/\s\/\/ .*$/, ''))
    .join('\n');

const callsVideoApi = (code: string): boolean =>
  VIDEO_API.some((pattern) => pattern.test(withoutComments(code)));

const sourcesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.split(sep).join('/')}`)
    .filter((path) => path.endsWith('.ts') && !path.endsWith('spec.ts'));

describe('the video API of Google', () => {
  const sources = ['src', 'libs', 'local', 'sandbox'].flatMap(sourcesIn);
  const naming = sources.filter((path) => callsVideoApi(readFileSync(path, 'utf8')));
  const isAllowed = (path: string) => MAY_NAME_IT.some((folder) => path.startsWith(`${folder}/`));

  it('GW-34: is called by the gateway only, also for the channel and uploads of the social service', () => {
    expect(naming.filter((path) => !isAllowed(path))).toEqual([]);
  });

  it('is named where it is called', () => {
    expect(naming.filter((path) => path.startsWith('src/platform/gateway/video/'))).not.toEqual([]);
  });

  it.each([
    [`const url = 'https://www.googleapis.com';`, true],
    ['const url = `${base}/youtube/v3/channels?part=snippet`;', true],
    [`post('/upload/youtube/v3/videos')`, true],
    [`const host = 'youtube.googleapis.com';`, true],
    [`const UPLOAD = 'https://www.googleapis.com/auth/youtube.upload';`, false],
    [`const oauth = 'https://oauth2.googleapis.com';`, false],
    ['/** As developers.google.com/youtube/v3/docs says. */', false],
    ['call(); // developers.google.com/youtube/v3/docs', false],
  ])('is read in %j: %j', (code, expected) => expect(callsVideoApi(code)).toBe(expected));
});
