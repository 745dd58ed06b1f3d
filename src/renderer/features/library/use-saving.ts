import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { ExportEvent } from '../../../shared/library/conversation-file.ts'
import { readExport } from '../../files/read-export.ts'
import { announce } from '../../ui/announcer.tsx'
import { asFailure } from '../../ui/failure.ts'
import { formatCount } from '../../ui/format/number.ts'
import { saveBlob } from '../../ui/save-file.ts'

interface Saving {
  readonly progress: { readonly done: number; readonly of: number } | undefined
  readonly failure: Failure | undefined
  /** The outcome in words. */
  readonly outcome: string
  /** Resolves to true when the file was saved. */
  readonly save: (
    file: { readonly ending: string; readonly type: string },
    events: (signal: AbortSignal) => Promise<AsyncIterable<ExportEvent>>,
  ) => Promise<boolean>
  readonly stop: () => void
}

/** Saves a file that arrives in pieces, but only when it is complete. */
export function useSaving(): Saving {
  const [progress, setProgress] = useState<Saving['progress']>()
  const [failure, setFailure] = useState<Failure>()
  const [outcome, setOutcome] = useState('')
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  const save: Saving['save'] = async ({ ending, type }, events) => {
    const stopped = new AbortController()
    stop.current = stopped
    setProgress({ done: 0, of: 0 })
    setFailure(undefined)
    setOutcome('')
    try {
      const { parts, conversations, unreadable, unreadableFiles } = await readExport(
        await events(stopped.signal),
        stopped.signal,
        setProgress,
      )
      saveBlob(
        `sotto-conversations-${new Date().toISOString().slice(0, 10)}.${ending}`,
        new Blob(parts, { type }),
      )
      const counted =
        unreadable > 0
          ? t`Saved ${plural(conversations, { one: '# chat', other: '# chats' })}; ${formatCount(unreadable)} couldn’t be read.`
          : plural(conversations, { one: 'Saved # chat.', other: 'Saved # chats.' })
      const message =
        unreadableFiles > 0
          ? `${counted} ${plural(unreadableFiles, { one: '# attachment couldn’t be read and isn’t included.', other: '# attachments couldn’t be read and aren’t included.' })}`
          : counted
      setOutcome(message)
      announce(message)
      return true
    } catch (thrown) {
      if (stopped.signal.aborted) setOutcome(t`Stopped. Nothing was saved.`)
      else setFailure(asFailure(thrown))
      return false
    } finally {
      setProgress(undefined)
    }
  }
  return { progress, failure, outcome, save, stop: () => stop.current?.abort() }
}
