import { useEffect, useState } from 'react'
import type { Failure } from '../../../../shared/contract/sotto-contract.ts'
import type { GivenFile } from '../../../../shared/job-ask.ts'
import { asFailure } from '../../../ui/failure.ts'
import { uploadFile } from '../../../ui/jobs/upload.ts'

/** After the last key, so that not each of them hands the text over. */
const PAUSE_MS = 500
/** The core keeps what belongs to no job for ten minutes. */
const REFRESH_MS = 9 * 60_000

/** A text that is typed, as a file that the core on this machine has. Undefined while it is not there. */
export function useTypedTexts(text: string): {
  readonly file: GivenFile | undefined
  readonly failure: Failure | undefined
} {
  const [turn, setTurn] = useState(0)
  const [handed, setHanded] = useState<{
    readonly text: string
    readonly turn: number
    readonly file?: GivenFile
    readonly failure?: Failure
  }>()
  const nothing = text.trim() === ''
  useEffect(() => {
    if (nothing) return
    const left = new AbortController()
    let refresh: ReturnType<typeof setTimeout> | undefined
    const timer = setTimeout(() => {
      uploadFile(new File([text], 'texts.txt', { type: 'text/plain' }), {
        signal: left.signal,
        onProgress: () => undefined,
      }).then(
        ({ uploadId }) => {
          if (left.signal.aborted) return
          setHanded({ text, turn, file: { uploadId } })
          refresh = setTimeout(() => setTurn((before) => before + 1), REFRESH_MS)
        },
        (thrown: unknown) => {
          if (!left.signal.aborted) setHanded({ text, turn, failure: asFailure(thrown) })
        },
      )
    }, PAUSE_MS)
    return () => {
      left.abort()
      clearTimeout(timer)
      clearTimeout(refresh)
    }
  }, [text, turn, nothing])
  const here = !nothing && handed?.text === text && handed.turn === turn ? handed : undefined
  return { file: here?.file, failure: here?.failure }
}
