import { t } from '@lingui/core/macro'
import { AudioLines } from 'lucide-react'
import { useEffect, useState } from 'react'
import { clearJobInput, useJobInput } from '../../../ui/jobs/job-input.ts'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { useSpeechDraft } from './speech-draft.ts'
import { SpeechForm } from './speech-form.tsx'
import { SpokenCard } from './spoken-card.tsx'

/** Texts that are spoken, with every voice that is listed, and what was spoken. */
export function SpeechTab() {
  const list = useJobList(['speech'])
  // What was begun here is heard as it comes, where that is wished.
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
