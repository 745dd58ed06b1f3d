import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import type { Job } from '../../../../shared/job.ts'
import { CheckField } from '../../../ui/check-field.tsx'
import { AskLine } from '../../../ui/jobs/ask-line.tsx'
import { TextAreaField } from '../../../ui/text-area-field.tsx'
import { useService } from '../../../ui/status-store.ts'
import { SpeechLength } from './speech-length.tsx'
import { loadVoices, useSpeechDraft } from './speech-draft.ts'
import columns from '../parts/two-columns.module.css'
import styles from './speech.module.css'
import { VoiceChoice } from './voice-choice.tsx'

/** The contract's own limit of one job. */
const MAX_TEXT = 200_000

export function SpeechForm({ onStarted }: { onStarted: (job: Job, playing: boolean) => void }) {
  const { text, from, voice, model, playing, listed } = useSpeechDraft()
  const service = useService()
  useEffect(() => {
    if (!useSpeechDraft.getState().listed) void loadVoices()
  }, [service])
  const known = listed?.voices.find(({ id }) => id === voice)
  const modelId = known?.modelId ?? model
  const tooLong = text.length > MAX_TEXT
  const ask: JobAsk | undefined = text.trim() === '' || tooLong ? undefined : { kind: 'speech', text, ...(modelId !== '' && { model: modelId }), ...(voice !== '' && { voice }), ...(from && { from }) }
  return (
    <div className={columns.form} data-speech-form>
      <div className={columns.first}>
        <TextAreaField
          label={t`Text`} rows={9} value={text} placeholder={t`What is to be spoken`} className={styles.area} spellCheck
          fault={tooLong ? t`One job takes 200,000 characters: have the rest spoken by another.` : undefined}
          hint={<SpeechLength text={text} voice={known} />}
          onChange={({ target: { value } }) => useSpeechDraft.setState(value === '' ? { text: value, from: undefined } : { text: value })}
        />
        <CheckField label={t`Play it as it comes`} checked={playing} onTick={(on) => useSpeechDraft.setState({ playing: on })} hint={t`The first part is short, so that the first word is heard soon. Without it everything is only kept.`} />
      </div>
      <VoiceChoice />
      <div className={columns.ask}>
        <AskLine ask={ask} missing={t`Write what is to be spoken, and its price stands here.`} single={false} send={t`Have it spoken`} onStarted={(job) => onStarted(job, playing)} />
      </div>
    </div>
  )
}
