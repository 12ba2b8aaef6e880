/** The colours of the theme and the fonts of the page, for a picture that stands alone. */
import type { Paint, Picture } from './svg';

const FAMILIES = ['Inter Variable', 'JetBrains Mono Variable'];

export async function currentPaint(): Promise<Paint> {
  const style = getComputedStyle(document.documentElement);
  return { colour: (name) => style.getPropertyValue(name).trim() || '#808080', fonts: await fontRules() };
}

let fonts: Promise<string> | null = null;

/** The page's own font files, written into the rules. Without them the picture falls back to the reader's fonts. */
function fontRules(): Promise<string> {
  fonts ??= Promise.all(fontFaces().map(inlined))
    .then((rules) => rules.join(''))
    .catch(() => '');
  return fonts;
}

function fontFaces(): { family: string; weight: string; url: string }[] {
  return [...document.styleSheets].flatMap((sheet) =>
    [...rulesOf(sheet)].flatMap((rule) => {
      if (!(rule instanceof CSSFontFaceRule)) return [];
      const family = rule.style.getPropertyValue('font-family').replaceAll(/["']/g, '');
      const file = /url\(["']?([^"')]+)/.exec(rule.style.getPropertyValue('src'))?.[1];
      if (!file || !FAMILIES.includes(family)) return [];
      const url = new URL(file, sheet.href ?? document.baseURI).href;
      return [{ family, weight: rule.style.getPropertyValue('font-weight'), url }];
    }),
  );
}

function rulesOf(sheet: CSSStyleSheet): Iterable<CSSRule> {
  try {
    return sheet.cssRules;
  } catch {
    return [];
  }
}

async function inlined({
  family,
  weight,
  url,
}: {
  family: string;
  weight: string;
  url: string;
}): Promise<string> {
  const data = await (await fetch(url)).blob();
  const written = await dataUrl(new Blob([data], { type: 'font/woff2' }));
  return `@font-face{font-family:'${family}';font-weight:${weight};src:url(${written}) format('woff2')}`;
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('A file could not be read.'));
    reader.readAsDataURL(blob);
  });
}

/** Browsers draw no larger canvas; a larger picture is made of fewer dots. */
const LARGEST = 12_000;
const MOST_DOTS = 64_000_000;

/** The same as dots, two for each of the drawing's where that fits. */
export async function toPng({ text, width, height }: Picture): Promise<Blob> {
  const scale = Math.min(2, LARGEST / width, LARGEST / height, Math.sqrt(MOST_DOTS / (width * height)));
  const image = new Image();
  // A data address, not a blob's: a canvas that drew one of those may not be read again in every browser.
  image.src = await dataUrl(new Blob([text], { type: 'image/svg+xml' }));
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(width * scale));
  canvas.height = Math.max(1, Math.round(height * scale));
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) =>
      blob ? resolve(blob) : reject(new Error('This browser could not make the picture.')),
    ),
  );
}
