import { plural } from '@lingui/core/macro'
import { useDeferredValue, useMemo } from 'react'
import { speechPieces } from '../../../../shared/speech-pieces.ts'
import { spokenLength, spokenLimits } from '../../../../shared/audio-limits.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { familyOf, type Voice } from './voices.ts'

/**
 * The length of a text as providers count it, the limit of the voice's family per request, and the number of
 * pieces.
 */
export function SpeechLength({ text, voice }: { text: string; voice: Voice | undefined }) {
  const later = useDeferredValue(text)
  const length = useMemo(() => spokenLength(text), [text])
  const pieces = useMemo(() => speechPieces(later).length, [later])
  const most = spokenLimits[voice ? familyOf(voice) : 'first']
  const limit = formatCount(most)
  const counted = voice
    ? plural(length, {
        one: `# character. This voice’s family accepts ${limit} per request.`,
        other: `# characters. This voice’s family accepts ${limit} per request.`,
      })
    : plural(length, {
        one: '# character. One voice family accepts 2,000 per request, the other 5,000.',
        other: '# characters. One voice family accepts 2,000 per request, the other 5,000.',
      })
  return (
    <span data-testid="speech-length">
      {counted}{' '}
      {pieces > 1 &&
        plural(pieces, {
          one: 'It’s generated in # part, split between sentences, and joined into one file.',
          other: 'It’s generated in # parts, split between sentences, and joined into one file.',
        })}
    </span>
  )
}
