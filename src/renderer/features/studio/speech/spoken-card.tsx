import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { Job } from '../../../../shared/job.ts'
import { useVoicePrices } from '../../../data/listings.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { JobCard } from '../../../ui/jobs/job-card.tsx'
import { saveJobFile } from '../../../ui/jobs/save-job-file.ts'
import { useAction } from '../../../ui/use-action.ts'
import { chooseSpeech, useSpeechDraft } from './speech-draft.ts'
import styles from './speech.module.css'
import { spokenFiles, SpokenPlayer } from './spoken-player.tsx'

/** One generated speech, to play, to save, and to reuse its text. */
export function SpokenCard({ job, begin }: { job: Job; begin: boolean }) {
  const { ask } = job
  const files = spokenFiles(job)
  const { data: listed } = useVoicePrices()
  const voice = ask.kind === 'speech' ? ask.voice : undefined
  const voiceName = listed?.voices.find(({ id }) => id === voice)?.name ?? voice
  const save = useAction(async () => {
    for (const file of files) await saveJobFile(job, file)
  })
  const reuse = () => {
    if (ask.kind === 'speech') {
      useSpeechDraft.setState({ text: ask.text, from: ask.from })
      chooseSpeech({ voice: ask.voice ?? '', model: ask.model ?? '' })
    }
    document.querySelector<HTMLElement>('[data-speech-form] textarea')?.focus()
  }
  return (
    <JobCard
      job={job}
      actions={
        <>
          {job.state === 'done' && (
            <Button onClick={() => void save.run()} busy={save.busy && t`Saving…`}>
              <Trans>Save</Trans>
            </Button>
          )}
          <Button onClick={reuse}>
            <Trans>Reuse text</Trans>
          </Button>
        </>
      }
    >
      {voiceName !== undefined && <p className={styles.quiet}>{t`Voice: ${voiceName}`}</p>}
      {save.failure && <FailureNote failure={save.failure} />}
      {(files.length > 0 || begin) && <SpokenPlayer job={job} begin={begin} />}
    </JobCard>
  )
}
