import { spokenLength, spokenLimits } from './audio-limits.ts'

/** Code points of one piece. Every family takes so many, and only the service knows the family of each model. */
const MOST_SPOKEN = spokenLimits.first
/** The first pieces are short, so that the speech begins soon; the cost is the same. */
const GROWING = [240, 900]

/**
 * Splits a text into pieces for speech: at sentences if possible, otherwise at words, otherwise at the
 * length limit. Only white space between pieces is removed; no piece is empty.
 */
export function speechPieces(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  let length = 0
  const close = (): void => {
    const spoken = piece.trim()
    if (spoken !== '') pieces.push(spoken)
    piece = ''
    length = 0
  }
  for (const sentence of fitting(text.toWellFormed())) {
    const more = spokenLength(sentence)
    if (length > 0 && length + more > (GROWING[pieces.length] ?? MOST_SPOKEN)) close()
    piece += sentence
    length += more
  }
  close()
  return pieces
}

/** Sentences, and parts of those that are too long for one request. */
function* fitting(text: string): Generator<string, void> {
  for (const sentence of segments(text, 'sentence')) {
    if (spokenLength(sentence) <= MOST_SPOKEN) yield sentence
    else yield* parts(sentence)
  }
}

function* parts(sentence: string): Generator<string, void> {
  let part = ''
  let length = 0
  for (const word of segments(sentence, 'word')) {
    const more = spokenLength(word)
    if (length + more > MOST_SPOKEN && part !== '') {
      yield part
      part = ''
      length = 0
    }
    if (more > MOST_SPOKEN) {
      const points = Array.from(word)
      for (let at = 0; at < points.length; at += MOST_SPOKEN)
        yield points.slice(at, at + MOST_SPOKEN).join('')
    } else {
      part += word
      length += more
    }
  }
  if (part !== '') yield part
}

function* segments(text: string, granularity: 'sentence' | 'word'): Generator<string, void> {
  for (const { segment } of new Intl.Segmenter(undefined, { granularity }).segment(text)) yield segment
}
