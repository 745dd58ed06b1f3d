import { setImmediate } from 'node:timers/promises'
import { clearMergeCache, countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** UTF-16 units. The encoder's time grows with the square of a run without spaces, which a caller controls. */
const PIECE = 500
/** Pieces that are counted before other counts in this thread get a turn. */
const PIECES_AT_ONCE = 16
/** UTF-16 units that are encoded: more than any model's context. The rest of a longer text counts in proportion. */
const MOST_ENCODED = 4 * 1024 * 1024

/**
 * The tokens of a text in OpenAI's encoding o200k. The service doesn't name the tokenizer of a model, so Sotto uses o200k for all.
 * Names of special tokens in the text count as text, because the service gets them as text. Only `token-worker.ts` may import this file.
 */
export async function countTextTokens(text: string): Promise<number> {
  if (text === '') return 0
  let tokens = 0
  let encoded = 0
  let pieces = 0
  try {
    for (const piece of piecesOf(text)) {
      tokens += countTokens(piece, AS_TEXT)
      encoded += piece.length
      pieces++
      if (pieces % PIECES_AT_ONCE === 0) await setImmediate()
    }
  } finally {
    // The encoder's cache holds parts of the text.
    clearMergeCache()
  }
  return Math.ceil(tokens * (text.length / encoded))
}

const AS_TEXT = { disallowedSpecial: new Set<string>() }

/** Consecutive pieces, cut before a space if there is one, and never within a surrogate pair. */
export function* piecesOf(text: string, piece = PIECE, most = MOST_ENCODED): Generator<string> {
  const end = Math.min(text.length, most)
  let from = 0
  while (from < end) {
    let to = Math.min(from + piece, end)
    if (to < text.length) {
      const space = text.lastIndexOf(' ', to)
      if (space > from) to = space
      else if (isLowSurrogate(text.charCodeAt(to)) && to - from > 1) to--
    }
    yield text.slice(from, to)
    from = to
  }
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
