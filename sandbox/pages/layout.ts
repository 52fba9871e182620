import { type Markup, pageOf } from '#libs/pages';

export interface Layout {
  readonly title: string;
  readonly refreshSeconds?: number;
  readonly content: Markup;
}

const assets = { styles: '/_sandbox/sandbox.css', icon: '/_sandbox/icon.svg' };

export const layout = ({ title, refreshSeconds, content }: Layout): Markup =>
  pageOf({
    title,
    content,
    assets,
    ...(refreshSeconds !== undefined && { refresh: { seconds: refreshSeconds } }),
  });
