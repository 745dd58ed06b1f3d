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
  /** Whether the conversation is private, as far as the window knows. The core decides. */
  readonly privateOnly: boolean
}

export type Picked =
  | { readonly state: 'none' }
  | { readonly state: 'taking'; readonly name: string; readonly progress: UploadProgress }
  | {
      readonly state: 'taken'
      readonly name: string
      readonly source: GivenFile
      /** Absent for a file of a former job. */ readonly upload?: Upload
      readonly file?: File
      /** Set for a picture of a message. */ readonly attached?: AttachedPicture
    }
  | { readonly state: 'failed'; readonly name: string; readonly failure: Failure }

export interface GivenFileState {
  readonly picked: Picked
  /** Uploads a file to the core, and cancels an upload in progress. `check` may refuse the file first. */
  readonly take: (file: File) => void
  /** A file of a former job. */
  readonly use: (
    source: Extract<GivenFile, { jobId: string }>,
    name: string,
    attached?: AttachedPicture,
  ) => void
  /** A picture of a message, from the core to the core. */
  readonly attach: (picture: AttachedPicture) => void
  /**
   * Call it when a job has its own copy of the picked file: the upload was used up, and the same request can be sent
   * again.
   */
  readonly usedBy: (job: Job) => void
  /** Removes the file, or cancels its upload. */
  readonly clear: () => void
}

interface Rules {
  /** Checks the file before the upload. */
  readonly check?: (file: File) => Failure | undefined | Promise<Failure | undefined>
  /** Checks what the core found in the file's bytes. */
  readonly accept?: (upload: Upload) => Failure | undefined
}

/** The core stores an upload without a job for ten minutes. Before that time is over, the file is uploaded again. */
const REFRESH_MS = 9 * 60_000

/** One input file: chosen here, or from a former job. It leaves this computer only with the job. */
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

  /** Only one upload at a time: a former one is canceled. */
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
        set({ state: 'taken', name, source: { uploadId: upload.uploadId }, upload, file })
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
          source: { uploadId: upload.uploadId },
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
    (source: Extract<GivenFile, { jobId: string }>, name: string, attached?: AttachedPicture) => {
      stop.current?.abort()
      setPicked({ state: 'taken', name, source, ...(attached && { attached }) })
    },
    [],
  )

  const usedBy = (job: Job) => {
    const storedFile = job.files.find(({ role }) => role === 'given')
    // A file that was chosen since isn't the file of this job.
    setPicked((before) =>
      storedFile && before.state === 'taken' && before === picked
        ? {
            state: 'taken',
            name: before.name,
            source: { jobId: job.id, index: storedFile.index },
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
