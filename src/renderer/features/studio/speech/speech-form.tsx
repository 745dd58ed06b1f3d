import { plural, t } from '@lingui/core/macro'
import { useDeferredValue, useMemo } from 'react'
import { spokenLength, spokenLimits } from '../../../../shared/audio-limits.ts'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import { speechPieces } from '../../../../shared/speech-pieces.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { formatCount } from '../../../ui/format/number.ts'
import askLine from '../../../ui/jobs/ask-line.module.css'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { speechChoice, useSpeechDraft } from './speech-draft.ts'
import columns from '../parts/two-columns.module.css'
import styles from './speech.module.css'
import { VoiceChoice } from './voice-choice.tsx'

/** The contract's limit for one job. */
const MAX_TEXT = 200_000

export function SpeechForm({ onStarted }: { onStarted: (job: Job, playing: boolean) => void }) {
  const { text, from, playing } = useSpeechDraft()
  const { voice, model } = useScopedState(speechChoice)
  const { data: listed } = useVoicePrices()
  const known = listed?.voices.find(({ id }) => id === voice)
  const modelId = known?.modelId ?? model
  const tooLong = text.length > MAX_TEXT
  const ask: JobAsk | undefined =
    text.trim() === '' || tooLong
      ? undefined
      : {
          kind: 'speech',
          text,
          ...(modelId !== '' && { model: modelId }),
          ...(voice !== '' && { voice }),
          ...(from && { from }),
        }
  return (
    <div className={columns.form} data-speech-form>
      <div className={columns.first}>
        <TextAreaField
          label={t`Text`}
          rows={9}
          value={text}
          placeholder={t`Text to speak`}
          className={styles.area}
          spellCheck
          fault={
            tooLong
              ? t`The limit is 200,000 characters per job. Generate the rest in another job.`
              : undefined
          }
          hint={<SpeechLength text={text} />}
          onChange={({ target: { value } }) =>
            useSpeechDraft.setState(value === '' ? { text: value, from: undefined } : { text: value })
          }
        />
        <CheckField
          label={t`Play while generating`}
          checked={playing}
          onTick={(on) => useSpeechDraft.setState({ playing: on })}
          hint={t`The first part is kept short so that playback starts sooner. If this is off, the audio is only saved.`}
        />
      </div>
      <VoiceChoice />
      <div className={classNames(columns.ask, askLine.sticky)}>
        <AskLine
          ask={ask}
          missing={t`Enter text to see the price.`}
          single={false}
          send={t`Generate speech`}
          onStarted={(job) => onStarted(job, playing)}
        />
      </div>
    </div>
  )
}

/** The length of a text as providers count it, and the number of pieces, which is the same for every voice. */
function SpeechLength({ text }: { text: string }) {
  const later = useDeferredValue(text)
  const length = useMemo(() => spokenLength(text), [text])
  const pieces = useMemo(() => speechPieces(later).length, [later])
  const most = formatCount(spokenLimits.first)
  return (
    <span data-testid="speech-length">
      {plural(length, { one: '# character.', other: '# characters.' })}{' '}
      {pieces > 1 &&
        plural(pieces, {
          one: `It’s generated in # part and joined into one file. The first parts are short, and none exceeds ${most} characters.`,
          other: `It’s generated in # parts and joined into one file. The first parts are short, and none exceeds ${most} characters.`,
        })}
    </span>
  )
}
