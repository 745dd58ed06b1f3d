/** Bytes of UTF-8 to one token: fewer than tokenizers need in most languages, so that the estimate errs upwards. */
const BYTES_PER_TOKEN = 3

const encoder = new TextEncoder()

/** Tokens of a text, about. */
export function textTokens(text: string): number {
  return tokensOfBytes(encoder.encode(text).length)
}

/** Of a text of so many bytes in UTF-8. */
export function tokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_TOKEN)
}
