import { t } from '@lingui/core/macro'
import { FileAudio } from 'lucide-react'
import { useState } from 'react'
import { JobList } from '../../../ui/jobs/job-list.tsx'
import { useJobList } from '../../../ui/jobs/use-job-list.ts'
import { TranscriptCard } from './transcript-card.tsx'
import { TranscriptionForm } from './transcription-form.tsx'

/** The form for transcriptions, and their results. */
export function TranscriptionTab() {
  const list = useJobList(['transcription'])
  // Only one transcript is open at a time, because the browser decodes its recording.
  const [open, setOpen] = useState<string>()
  return (
    <div>
      <TranscriptionForm onStarted={(job) => setOpen(job.id)} />
      <JobList
        label={t`Transcripts`}
        list={list}
        nothing={{
          icon: FileAudio,
          title: t`No transcripts yet`,
          description: t`Record or choose audio above.`,
        }}
      >
        {(job) => (
          <TranscriptCard
            job={job}
            open={job.id === open}
            onOpen={(on) => setOpen(on ? job.id : undefined)}
          />
        )}
      </JobList>
    </div>
  )
}
