import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { JobAsk } from '../../../../shared/job-ask.ts'
import { hasEnded } from '../../../../shared/job-state.ts'
import type { Job } from '../../../../shared/job.ts'
import { sampleText } from '../../../../shared/voice-samples.ts'
import { useScope } from '../../../data/service-scope.tsx'
import { useAnswer } from '../../../data/use-answer.ts'
import { api } from '../../../ui/api.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { PriceLine } from '../../../ui/jobs/ask-line.tsx'
import { stateWords } from '../../../ui/jobs/job-words.ts'
import { putJobs, showJob, startJob, useJobs } from '../../../ui/jobs/jobs-store.ts'
import { usePayWay } from '../../../ui/jobs/pay-way.ts'
import { useEstimate } from '../../../ui/jobs/use-estimate.ts'
import { useAction } from '../../../ui/use-action.ts'
import styles from './speech.module.css'
import { SpokenPlayer } from './spoken-player.tsx'
import type { Voice } from './voices.ts'

/**
 * A sentence spoken by a voice. The service lists no samples, so Sotto generates one at the usual price and
 * stores it. Playing it again is free.
 */
export function VoiceSample({ voice }: { voice: Voice }) {
  const { id, name, modelId } = voice
  const text = sampleText(voice.language)
  const ask: JobAsk = { kind: 'speech', text, voice: id, ...(modelId !== undefined && { model: modelId }) }
  const scope = useScope()
  const savedJob = Object.values(useJobs()).find((job) => isSample(job, text, id))
  // A sample from an earlier session is among the saved speech jobs.
  const { busy: looking } = useAnswer(
    {
      key: ['voice-sample', id, text],
      ask: async (context) => {
        const { jobs } = await api.studio.list({ kinds: ['speech'], text, limit: 200 }, context)
        putJobs(
          scope,
          jobs.filter((job) => isSample(job, text, id)),
        )
        return true
      },
    },
    { transient: true },
  )
  const [begin, setBegin] = useState(false)
  const { hasAccount } = usePayWay(false)
  const price = useEstimate(!looking && !savedJob ? ask : undefined)
  const speak = useAction(async () => {
    const job = await startJob(ask, 'balance')
    setBegin(true)
    await showJob(api.studio.rename({ jobId: job.id, title: t`Sample of ${name}` }))
  })
  return (
    <div className={styles.sample} role="group" aria-label={t`Sample of ${name}`}>
      <h3>
        <Trans>Sample</Trans>
      </h3>
      <p lang={voice.language}>{text}</p>
      {savedJob?.state === 'done' && <SpokenPlayer job={savedJob} begin={begin} />}
      {savedJob && savedJob.state !== 'done' && (
        <p role="status" className={styles.quiet}>
          {stateWords[savedJob.state].name}
        </p>
      )}
      {!savedJob && (
        <>
          <p className={styles.quiet}>
            <Trans>
              The service has no samples. Sotto generates one for this price and saves it, so you can play it
              again.
            </Trans>
          </p>
          <PriceLine price={price} />
          {speak.failure && <FailureNote failure={speak.failure} />}
          <div className={styles.actions}>
            <Button
              onClick={() => void speak.run()}
              disabled={!hasAccount || price.state !== 'known'}
              busy={speak.busy && t`Sending…`}
            >
              <Trans>Play sample</Trans>
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function isSample({ ask, state }: Job, text: string, voice: string): boolean {
  return (
    ask.kind === 'speech' &&
    ask.text === text &&
    ask.voice === voice &&
    (state === 'done' || !hasEnded(state))
  )
}
