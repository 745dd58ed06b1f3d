import { plural } from '@lingui/core/macro'
import { useDeferredValue, useMemo } from 'react'
import { speechPieces, spokenLength } from '../../../../shared/speech-pieces.ts'
import { formatCount } from '../../../ui/format/number.ts'
import { familyLimits, familyOf, type Voice } from './voices.ts'

/** How long a text is as providers count it, what the family of its voice takes at once, and into how many pieces it is parted. */
export function SpeechLength({ text, voice }: { text: string; voice: Voice | undefined }) {
  const later = useDeferredValue(text)
  const length = useMemo(() => spokenLength(text), [text])
  const pieces = useMemo(() => speechPieces(later).length, [later])
  const most = familyLimits[voice ? familyOf(voice) : 'first']
  const limit = formatCount(most)
  const counted = voice
    ? plural(length, { one: `# character. The family of this voice takes ${limit} at once.`, other: `# characters. The family of this voice takes ${limit} at once.` })
    : plural(length, { one: '# character. Of the two families of voices one takes 2,000 at once, and the other 5,000.', other: '# characters. Of the two families of voices one takes 2,000 at once, and the other 5,000.' })
  return (
    <span data-testid="speech-length">
      {counted}{' '}
      {pieces > 1 && plural(pieces, { one: 'It is spoken in # piece, parted between sentences and joined to one file.', other: 'It is spoken in # pieces, parted between sentences and joined to one file.' })}
    </span>
  )
}
