import { t } from '@lingui/core/macro'
import { AudioLines } from 'lucide-react'
import { useEffect, useState } from 'react'
import { clearJobInput, useJobInput } from '../../../ui/jobs/job-input.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { useSpeechDraft } from './speech-draft.ts'
import { SpeechForm } from './speech-form.tsx'
import { SpokenCard } from './spoken-card.tsx'

/** The form for text to speech with all listed voices, and the generated speech. */
export function SpeechTab() {
  const list = useJobList(['speech'])
  // The job that plays while the service generates it, if the user asked for that here.
  const [heard, setHeard] = useState<string>()
  const handed = useJobInput('speech')
  useEffect(() => {
    if (!handed) return
    clearJobInput(handed)
    useSpeechDraft.setState({ text: handed.text ?? '', from: handed.from })
  }, [handed])
  return (
    <div>
      <SpeechForm onStarted={(job, playing) => setHeard(playing ? job.id : undefined)} />
      <JobList
        label={t`Generated speech`}
        list={list}
        nothing={{
          icon: AudioLines,
          title: t`No speech yet`,
          description: t`Enter text above and choose a voice.`,
        }}
      >
        {(job) => <SpokenCard job={job} begin={job.id === heard} />}
      </JobList>
    </div>
  )
}
