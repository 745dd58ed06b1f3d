/** Words, numbers, punctuation and spaces, about as o200k cuts a text before it encodes each part. */
const PARTS = / ?\p{L}[\p{L}\p{M}]*| ?\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s+/gu
const CAMEL_PARTS = /[A-Z]+[a-z]*|[a-z]+/g
/** Tokens of a character, as o200k needs them on average for text of the script. */
const SCRIPTS: readonly (readonly [RegExp, number])[] = [
  [/\p{Script=Han}/u, 0.72],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, 0.62],
  [/\p{Script=Hangul}/u, 0.67],
  [/\p{Script=Latin}/u, 0.28],
  [/\p{L}|\p{M}/u, 0.43],
]

/**
 * About the tokens of a text in OpenAI's encoding o200k, at once and without its table: within 15 % for prose in nine languages, JSON and
 * program text (test/core/gateway/tokens/text.test.ts). The window shows it until the core's count arrives.
 */
export function textTokens(text: string): number {
  let tokens = 0
  for (const [part] of text.matchAll(PARTS)) tokens += tokensOfPart(part)
  return Math.ceil(tokens)
}

function tokensOfPart(part: string): number {
  const word = part.startsWith(' ') ? part.slice(1) : part
  if (word === '') return 0.3
  if (/^[A-Za-z]+$/.test(word))
    return (word.match(CAMEL_PARTS) ?? []).reduce(
      (sum, piece) => sum + (piece.length <= 9 ? 1 : piece.length / 7),
      0,
    )
  if (/^\p{L}/u.test(word))
    return Array.from(word).reduce(
      (sum, character) => sum + (SCRIPTS.find(([script]) => script.test(character))?.[1] ?? 1),
      0,
    )
  return /^[\p{N}\s]/u.test(word) ? 1 : Math.max(1, word.length / 2.2)
}

/** About the tokens that a chat template adds to each message. */
export const TOKENS_PER_MESSAGE = 4

/** UTF-16 units of the longest text of a draft that the core counts. The window estimates a longer one. */
export const MOST_COUNTED = 400_000

/** Pixels to one token. Models differ; this is Anthropic's published rule (Vision, "Evaluate image size"). */
const PIXELS_PER_TOKEN = 750
/** For the largest image, which is scaled down before a model reads it. */
const MOST_IMAGE_TOKENS = 1600

export interface ImageSize {
  /** In pixels, like the height. */
  readonly width?: number | undefined
  readonly height?: number | undefined
}

/** About the tokens of an image. One of unknown size counts as the largest. */
export function imageTokens({ width, height }: ImageSize): number {
  if (width === undefined || height === undefined) return MOST_IMAGE_TOKENS
  return Math.max(1, Math.min(MOST_IMAGE_TOKENS, Math.ceil((width * height) / PIXELS_PER_TOKEN)))
}
