import { useCallback, useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { GivenFile } from '../../../shared/job-ask.ts'
import type { Job, Upload } from '../../../shared/job.ts'
import { announce } from '../announcer.tsx'
import { api } from '../api.ts'
import { asFailure, codedFailure, isAbort } from '../failure.ts'
import { t } from '@lingui/core/macro'
import { uploadFile, type UploadProgress } from './upload.ts'

/** A picture of a message. */
export interface AttachedPicture {
  readonly conversationId: string
  readonly attachmentId: string
  readonly name: string
  /** Whether the conversation is kept private, as the window knows it; the core knows it better. */
  readonly privateOnly: boolean
}

export type Picked =
  | { readonly state: 'none' }
  | { readonly state: 'taking'; readonly name: string; readonly progress: UploadProgress }
  | {
      readonly state: 'taken'
      readonly name: string
      readonly given: GivenFile
      /** Absent where it is a file of a former job. */ readonly upload?: Upload
      readonly file?: File
      /** Where it is one of a message. */ readonly attached?: AttachedPicture
    }
  | { readonly state: 'failed'; readonly name: string; readonly failure: Failure }

export interface GivenFileState {
  readonly picked: Picked
  /** Hands a file to the core; one that was under way is stopped. `check` may refuse it first. */
  readonly take: (file: File) => void
  /** A file of a former job. */
  readonly use: (
    given: Extract<GivenFile, { jobId: string }>,
    name: string,
    attached?: AttachedPicture,
  ) => void
  /** A picture of a message, from the core to the core. */
  readonly attach: (picture: AttachedPicture) => void
  /** Once a job has what is picked here as a file of its own: the upload was used up, and the same can be asked for again. */
  readonly usedBy: (job: Job) => void
  /** Takes it away, or stops it on its way. */
  readonly clear: () => void
}

interface Rules {
  /** What is judged before anything is handed over. */
  readonly check?: (file: File) => Failure | undefined | Promise<Failure | undefined>
  /** What is judged by what the core found in its bytes. */
  readonly accept?: (upload: Upload) => Failure | undefined
}

/** The core keeps what belongs to no job for ten minutes; before that it is handed over refresh. */
const REFRESH_MS = 9 * 60_000

/** One file that something is made from: chosen here, or of a former job. It leaves this machine with the job alone. */
export function useGivenFile(rules: Rules = {}): GivenFileState {
  const [picked, setPicked] = useState<Picked>({ state: 'none' })
  const stop = useRef<AbortController>(null)
  const latest = useRef(rules)
  useEffect(() => {
    latest.current = rules
  })
  useEffect(() => () => stop.current?.abort(), [])

  const clear = useCallback(() => {
    stop.current?.abort()
    setPicked({ state: 'none' })
  }, [])

  /** One at a time: what was under way is stopped. */
  const begin = useCallback(() => {
    stop.current?.abort()
    const stopped = new AbortController()
    stop.current = stopped
    const { signal } = stopped
    return {
      signal,
      set: (next: Picked) => {
        if (!signal.aborted) setPicked(next)
      },
    }
  }, [])

  const hand = useCallback(
    async (file: File, quietly: boolean) => {
      const { signal, set } = begin()
      const { name } = file
      try {
        if (!quietly) set({ state: 'taking', name, progress: { sent: 0, of: file.size } })
        const refused =
          file.size === 0 ? codedFailure('studio/file-empty') : await latest.current.check?.(file)
        if (refused) return set({ state: 'failed', name, failure: refused })
        const upload = await uploadFile(file, {
          signal,
          onProgress: (progress) => {
            if (!quietly) set({ state: 'taking', name, progress })
          },
        })
        const unfit = latest.current.accept?.(upload)
        if (unfit) return set({ state: 'failed', name, failure: unfit })
        set({ state: 'taken', name, given: { uploadId: upload.uploadId }, upload, file })
        if (!quietly) announce(t`${name} added`)
      } catch (thrown) {
        if (!isAbort(thrown)) set({ state: 'failed', name, failure: asFailure(thrown) })
      }
    },
    [begin],
  )

  const attach = useCallback(
    async (attached: AttachedPicture) => {
      const { signal, set } = begin()
      const { conversationId, attachmentId, name } = attached
      try {
        const [upload, content] = await Promise.all([
          api.studio.upload.attached({ conversationId, attachmentId }, { signal }),
          api.attachments.get({ attachmentId }, { signal }),
        ])
        const unfit = latest.current.accept?.(upload)
        if (unfit) return set({ state: 'failed', name, failure: unfit })
        set({
          state: 'taken',
          name,
          given: { uploadId: upload.uploadId },
          upload,
          file: new File([content], name, { type: content.type }),
          attached,
        })
      } catch (thrown) {
        if (!isAbort(thrown)) set({ state: 'failed', name, failure: asFailure(thrown) })
      }
    },
    [begin],
  )

  useEffect(() => {
    if (picked.state !== 'taken' || !picked.file) return
    const { file, attached } = picked
    const timer = setTimeout(() => void (attached ? attach(attached) : hand(file, true)), REFRESH_MS)
    return () => clearTimeout(timer)
  }, [picked, hand, attach])

  const use = useCallback(
    (given: Extract<GivenFile, { jobId: string }>, name: string, attached?: AttachedPicture) => {
      stop.current?.abort()
      setPicked({ state: 'taken', name, given, ...(attached && { attached }) })
    },
    [],
  )

  const usedBy = (job: Job) => {
    const kept = job.files.find(({ role }) => role === 'given')
    // What was chosen since is not what this job was sent with.
    setPicked((before) =>
      kept && before.state === 'taken' && before === picked
        ? {
            state: 'taken',
            name: before.name,
            given: { jobId: job.id, index: kept.index },
            ...(before.attached && { attached: before.attached }),
          }
        : before,
    )
  }

  return {
    picked,
    take: (file) => void hand(file, false),
    use,
    attach: (picture) => void attach(picture),
    usedBy,
    clear,
  }
}
